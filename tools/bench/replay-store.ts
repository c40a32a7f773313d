/**
 * A separate process that replays DynamoDB responses immediately. It forwards calls to a stand-in and records one response per operation
 * and table, and per item for reads. After a request for /replay, it returns the recorded responses.
 */
import { createServer } from 'node:http';
import { getPort } from '../../infra/local/port.ts';

const [standIn = ''] = process.argv.slice(2);
const answers = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>();
let isReplaying = false;

async function passOn(target: string, headers: Record<string, string>, body: Buffer, kept: string) {
  const response = await fetch(standIn, { method: 'POST', headers: { ...headers, 'x-amz-target': target }, body });
  const answer = {
    status: response.status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(await response.arrayBuffer()),
  };
  answers.set(kept, answer);
  return answer;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    if (request.url === '/replay') {
      isReplaying = true;
      response.end();
      return;
    }
    const body = Buffer.concat(chunks);
    const target = String(request.headers['x-amz-target']);
    const [, table = ''] = /"TableName":"([^"]+)"/.exec(body.toString()) ?? [];
    const [item = ''] = target.endsWith('.GetItem') ? (/"Key":\{.*?\}\}/.exec(body.toString()) ?? []) : [];
    const kept = `${target} ${table} ${item}`;
    const { authorization = '', 'x-amz-date': date = '' } = request.headers;
    const headers = { authorization, 'x-amz-date': String(date), 'content-type': 'application/x-amz-json-1.0' };
    const answer = (isReplaying && answers.get(kept)) || (await passOn(target, headers, body, kept));
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length }).end(answer.body);
  });
}).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${getPort(server)}`);
});
