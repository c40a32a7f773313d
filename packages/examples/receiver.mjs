import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret, PORT: port = '4000' } = process.env;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that you got when you created the webhook');
createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const signatures = (request.headers['service-signature'] ?? '').split(',').map((one) => Buffer.from(one));
  const isGenuine = signatures.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  if (!isGenuine) return response.writeHead(401).end();
  const { id, type } = JSON.parse(body);
  console.log(id, type); // store it before you respond; an id that you have seen before is a repeat
  response.writeHead(200).end();
}).listen(port, () => console.log(`Listening on port ${port}`));
