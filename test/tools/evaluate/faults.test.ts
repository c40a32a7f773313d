import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHereAtOnce } from './run-here.ts';

type Reply = [status: number, body: unknown, headers?: Record<string, string>];

/** A service with preset bid responses that records its requests. */
async function startStub(onBid: (count: number) => Reply | Promise<Reply>) {
  const requests: string[] = [];
  let bids = 0;
  const answer = (request: string): Reply | Promise<Reply> => {
    if (request === 'POST /api/v1/ssp/bid') return onBid(++bids);
    if (request === 'POST /api/v1/auth/api-keys') return [201, { key: 'secret' }];
    return [200, { id: `cmp_${requests.length}` }];
  };
  const server = createServer(async (request, response) => {
    const target = `${request.method} ${request.url}`;
    const body = await text(request);
    requests.push(`${target} ${body}`);
    const [status, reply, headers] = await answer(target);
    response.writeHead(status, headers).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    stop: () => server.close().closeAllConnections(),
  };
}

const noBid: Reply = [200, null, { 'x-debug-info': '{"campaignId":null,"candidates":[]}' }];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evaluate-'));
  const row = (id: number) => ({
    id: `row-${id}`,
    countryCode: 'US',
    messages: [{ role: 'user', content: 'Hi' }],
    gold: [],
  });
  const campaigns = ['a', 'b'].map((id) => ({ id, name: id, labels: [id] }));
  await writeFile(join(folder, 'campaigns.json'), JSON.stringify(campaigns));
  await writeFile(
    join(folder, 'conversations.jsonl'),
    Array.from({ length: 12 }, (_, id) => JSON.stringify(row(id))).join('\n'),
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** Sends a message after the signal is handled. The command's listener is added later and runs right after this one. */
const TELLS_OF_SIGNAL = "data:text/javascript,process.on('SIGINT', () => process.send('interrupted'))";

const start = (url: string): ChildProcess =>
  spawn(
    process.execPath,
    [
      '--import',
      TELLS_OF_SIGNAL,
      fileURLToPath(new URL('../../../tools/evaluate/evaluate.ts', import.meta.url)),
      folder,
      '--url',
      url,
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );

async function endOf(child: ChildProcess) {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
  return { out, err, status };
}

test.concurrent('a row at which the service fails is named and counted; one that the rate limit refuses is sent again', async () => {
  const stub = await startStub((count) => {
    if (count === 3) return [500, { message: 'Something went wrong' }];
    return count === 12 ? [429, { message: 'Too Many Requests' }, { 'retry-after': '7' }] : noBid;
  });
  const { out, err, status, pauses } = await runHereAtOnce(folder, '--url', stub.url);
  stub.stop();
  expect(err).toMatch(/^Error, line \d+ \(row-\d+\): status 500: Something went wrong$/m);
  expect(out).toMatch(/^rows answered +11: /m);
  expect(out).toMatch(/^errors +1$/m);
  expect(out).toMatch(/^rate limited +1 requests, sent again$/m);
  expect(pauses.slice(1)).toEqual([7_000]); // the first pause waits until the service has loaded the campaigns
  expect(status).toBe(1);
});

test.concurrent('Ctrl-C ends it: no more bids, its campaigns cancelled, the figures so far, status 130', async () => {
  let child: ChildProcess | undefined;
  let interrupted: Promise<unknown> | undefined;
  const stub = await startStub(async (count) => {
    interrupted ??= once(child!, 'message');
    if (count === 1) child!.kill('SIGINT');
    await interrupted;
    return noBid;
  });
  child = start(stub.url);
  const { out, status } = await endOf(child);
  stub.stop();
  expect(stub.requests.filter((request) => /^PATCH .*"cancelled"/.test(request))).toHaveLength(2);
  expect(stub.requests.at(-1)).toMatch(/^PATCH /);
  expect(out).toMatch(/^rows answered +[1-8]: /m);
  expect(status).toBe(130);
});
