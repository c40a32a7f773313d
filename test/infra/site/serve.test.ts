import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSite } from '../../../infra/site/serve.ts';

const site = createSite(
  new Map([
    ['index.html', Buffer.from('<!doctype html>')],
    ['docs.html', Buffer.from('docs')],
    ['docs/reference.html', Buffer.from('reference')],
    ['assets/app.js', Buffer.from('"app"')],
  ]),
);
const get = (path: string, headers: Record<string, string> = {}) => site({ path, header: (name) => headers[name] });
const textOf = (answer: ReturnType<typeof get>) => Buffer.from(answer!.body, 'base64').toString();

test('files have their content types', () => {
  expect(get('/')).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(textOf(get('/'))).toBe('<!doctype html>');
  expect(get('/assets/app.js')!.headers['content-type']).toBe('text/javascript; charset=utf-8');
});

test.each(['/', '/campaigns', '/campaigns/cmp_1/edit', '/webhooks/wh_1', '/chat'])('serves the page at %j', (path) => {
  expect(textOf(get(path))).toBe('<!doctype html>');
});

test.each([
  '/index.html',
  '/campaigns/',
  '/campaigns/a/b',
  '/chat/1',
  '/campaigns/..',
  '/assets/',
  '/assets/../index.html',
  '/assets',
  '/docs/',
  '//',
  '',
  '/constructor',
])('returns nothing at %j', (path) => {
  expect(get(path)).toBeUndefined();
});

test('an unknown address returns the page, but an unknown API path or file does not', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const etag = get('/')!.headers.etag!;
  for (const path of ['/nothing-here', '/campaigns/', '/docs/nothing']) {
    const answer = get(path, { accept, 'if-none-match': etag });
    expect([answer?.statusCode, textOf(answer)]).toEqual([404, '<!doctype html>']);
    expect(get(path, { accept: '*/*' })).toBeUndefined();
  }
  for (const path of ['/api/v1/nothing', '/api', '/API/V1/CAMPAIGNS', '/assets/gone.js'])
    expect(get(path, { accept })).toBeUndefined();
  expect(get('/', { accept })!.statusCode).toBe(200);
});

test('bodies are compressed if the client accepts it, and sent once', () => {
  const packed = get('/', { 'accept-encoding': 'br, gzip' })!;
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(Buffer.from(packed.body, 'base64')).toString()).toBe('<!doctype html>');
  expect(get('/', { 'if-none-match': packed.headers.etag! })).toMatchObject({ statusCode: 304, body: '' });
  expect(get('/', { 'if-none-match': '"other"' })!.statusCode).toBe(200);
});

test('the page allows scripts and styles only from its origin, and forbids framing', () => {
  const { 'content-security-policy': policy, 'x-content-type-options': sniff } = get('/')!.headers;
  expect(policy).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(sniff).toBe('nosniff');
  expect(get('/docs')!.headers['content-security-policy']).toBe(policy);
  expect(get('/docs/reference')!.headers['content-security-policy']).toContain("script-src 'self';");
});
