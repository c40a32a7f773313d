import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openModel } from '../../../shared/platform/open-model.ts';
import { startModelServer } from '../ads/judge/model-server.ts';

/** A local Secrets Manager that fails once and then returns the secret. */
async function startSecrets(refusal = 'AccessDeniedException') {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(JSON.parse(body).SecretId);
    if (asked.length === 1) response.writeHead(400).end(JSON.stringify({ __type: refusal }));
    else response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end('{"SecretString":"sk-1\\n"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  onTestFinished(() => void vi.unstubAllEnvs());
  return asked;
}

it('reads the key from its secret on first use, and again only after a failure', async () => {
  const secrets = await startSecrets();
  const server = await startModelServer(() => ({ text: 'yes' }));
  onTestFinished(() => server.stop());
  const settings = {
    protocol: 'openai',
    model: 'small',
    timeoutMs: 350,
    key: undefined,
    keySecret: 'ads/judge',
  } as const;
  const model = await openModel({ ...settings, url: server.url });
  const ask = () => model({ system: '', user: '', maxTokens: 1 }, AbortSignal.timeout(10_000));
  expect(secrets).toEqual([]);
  await expect(ask()).rejects.toThrow('its key cannot be read');
  expect([await ask(), await ask()]).toEqual(['yes', 'yes']);
  expect(secrets).toEqual(['ads/judge', 'ads/judge']);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1', 'Bearer sk-1']);
});

it.each([
  ['AccessDeniedException', true],
  ['ResourceNotFoundException', true],
  ['InvalidRequestException', false],
])('reports whether an operator must make the key readable: %s %s', async (refusal, isDenied) => {
  await startSecrets(refusal);
  const settings = { protocol: 'openai', model: 'small', timeoutMs: 350, key: undefined, keySecret: 'k' } as const;
  const model = await openModel({ ...settings, url: 'http://127.0.0.1:9' });
  const asked = model({ system: '', user: '', maxTokens: 1 }, AbortSignal.timeout(10_000));
  await expect(asked).rejects.toMatchObject({ message: 'its key cannot be read', isDenied });
});

it.each([
  ['', '/chat/completions'],
  ['/', '/chat/completions'],
  ['/v1', '/v1/chat/completions'],
  ['/v1//', '/v1/chat/completions'],
  ['/openai/v1?api-version=preview', '/openai/v1/chat/completions?api-version=preview'],
  ['/openai/v1/?path=/a/', '/openai/v1/chat/completions?path=/a/'],
  ['?api-version=preview', '/chat/completions?api-version=preview'],
])('keeps path and query of an endpoint at %j', async (path, asked) => {
  const server = await startModelServer(() => ({ text: 'yes' }));
  onTestFinished(() => server.stop());
  const settings = { protocol: 'openai', model: 'small', timeoutMs: 350, key: 'k', keySecret: undefined } as const;
  const model = await openModel({ ...settings, url: `${server.url}${path}` });
  await model({ system: '', user: '', maxTokens: 1 }, AbortSignal.timeout(10_000));
  expect(server.requests.map(({ url }) => url)).toEqual([asked]);
});
