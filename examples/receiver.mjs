import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret, PORT: port = '4000' } = process.env;

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = (request.headers['service-signature'] ?? '').split(',').map((one) => Buffer.from(one));
  const isGenuine = given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  response.writeHead(isGenuine ? 200 : 401).end();
  const { id, type } = isGenuine ? JSON.parse(body) : { id: '-', type: 'forged' };
  console.log(id, type); // an id that came before is a repeat
}).listen(port);
