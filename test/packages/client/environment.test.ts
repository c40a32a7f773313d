import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient } from '../../../packages/client/src/index.ts';

beforeEach(() => {
  vi.stubEnv('ADS_URL', 'https://ads.test/base');
  vi.stubEnv('ADS_KEY', 'ak_test_environment');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The URL and the headers that a client with these options sends. */
async function send(options: ClientOptions = {}) {
  const sent: { url: string; headers: Headers }[] = [];
  const fetch: ClientOptions['fetch'] = async (url, init) => {
    sent.push({ url: String(url), headers: new Headers(init?.headers) });
    return Response.json({ status: 'ok' });
  };
  await createClient({ ...options, fetch })('GET /api/v1/health');
  return sent[0]!;
}

describe('The environment', () => {
  it('gives the URL of the service and the API key by default', async () => {
    const { url, headers } = await send();
    expect(url).toBe('https://ads.test/base/api/v1/health');
    expect(headers.get('x-api-key')).toBe('ak_test_environment');
    expect(() => createClient()).not.toThrow();
  });

  it('gives way to the options', async () => {
    const { url, headers } = await send({ baseUrl: 'https://other.test', apiKey: 'ak_test_own' });
    expect(url).toBe('https://other.test/api/v1/health');
    expect(headers.get('x-api-key')).toBe('ak_test_own');
  });

  it('adds no API key to the requests of an account, unless the options do', async () => {
    const { headers } = await send({ userId: 'alice' });
    expect(headers.get('x-user-id')).toBe('alice');
    expect(headers.get('x-api-key')).toBeNull();
    expect((await send({ userId: 'alice', apiKey: 'ak_test_own' })).headers.get('x-api-key')).toBe('ak_test_own');
  });

  it('may end its values with a line break, as from a file', async () => {
    vi.stubEnv('ADS_KEY', 'ak_test_environment\n');
    expect((await send()).headers.get('x-api-key')).toBe('ak_test_environment');
  });

  it.each(['', ' ', undefined])('counts a value of %j as unset', async (value) => {
    vi.stubEnv('ADS_KEY', value);
    expect((await send()).headers.get('x-api-key')).toBeNull();
    vi.stubEnv('ADS_URL', value);
    expect(() => createClient()).toThrow(/^baseUrl is missing. Set it, or the environment variable ADS_URL, to/);
  });
});

describe('The User-Agent', () => {
  it('names the client, the runtime, and before them the product of the caller', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Node.js/24' });
    expect((await send()).headers.get('user-agent')).toBe('conversation-ads-client/source Node.js/24');
    expect((await send({ userAgent: 'my-chatbot/1.2' })).headers.get('user-agent')).toBe(
      'my-chatbot/1.2 conversation-ads-client/source Node.js/24',
    );
    vi.stubGlobal('navigator', undefined);
    expect((await send()).headers.get('user-agent')).toBe('conversation-ads-client/source');
  });

  it('is left to a browser, where a header of its own could need a preflight request', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' });
    expect((await send({ userAgent: 'my-chatbot/1.2' })).headers.get('user-agent')).toBeNull();
  });
});
