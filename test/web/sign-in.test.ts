import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishSignIn, startSignIn } from '../../web/sign-in.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** What was asked of the issuer for tokens. */
const asked: URLSearchParams[] = [];
let issuer = '';

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/.well-known/openid-configuration') {
    const [authorization_endpoint, token_endpoint] = [`${issuer}/authorize`, `${issuer}/token`];
    return response.end(JSON.stringify({ issuer, authorization_endpoint, token_endpoint }));
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  asked.push(new URLSearchParams(body));
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'desk', sub: 'user-1', email: 'ada@shop.example', iat: now, exp: now + 60 };
  const id_token = [part({ alg: 'RS256' }), part(claims), part({})].join('.');
  response.end(JSON.stringify({ access_token: 'token-1', token_type: 'Bearer', expires_in: 60, id_token }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve));
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const settings = () => ({ issuer, clientId: 'desk', scope: 'openid', audience: 'ads', origins: [issuer] });

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

const PAGE = new URL('https://ads.example/campaigns?q=shoes');
const back = (state: string) => new URL(`https://ads.example/signed-in?code=code-1&state=${state}`);

test('who signs in comes back to the page that was asked for, with a token of their own', async () => {
  const kept = storage();
  const { searchParams } = new URL(await startSignIn(settings(), PAGE, kept));
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'desk',
    redirect_uri: 'https://ads.example/signed-in',
    audience: 'ads',
    code_challenge_method: 'S256',
  });
  const now = await finishSignIn(settings(), back(searchParams.get('state')!), kept);
  expect(now).toMatchObject({ token: 'token-1', user: 'ada@shop.example', returnTo: '/campaigns?q=shoes' });
  expect(now.expiresAt).toBeGreaterThan(Date.now());
  // The page proves that it is the one that asked: nobody else has what the challenge was made of.
  const verifier = asked.at(-1)!.get('code_verifier')!;
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(searchParams.get('code_challenge'));
});

test('an answer to a question that this page did not ask is refused, and none is taken twice', async () => {
  const kept = storage();
  const { searchParams } = new URL(await startSignIn(settings(), PAGE, kept));
  const before = asked.length;
  await expect(finishSignIn(settings(), back('another'), kept)).rejects.toThrow('state');
  await expect(finishSignIn(settings(), back(searchParams.get('state')!), kept)).rejects.toThrow();
  expect(asked).toHaveLength(before);
});
