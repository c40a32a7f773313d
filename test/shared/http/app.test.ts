import type { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpointRow, endpoints } from '../../../shared/http/operations/endpoints.ts';
import type { Endpoint } from '../../../shared/http/operations/rows.ts';
import type { Effects } from '../../../shared/platform/effects.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();

const createApp = async (name: EndpointName): Promise<Hono> => {
  const { default: create }: { default: (effects: Effects) => Hono } = await import(`../../../functions/${name}.ts`);
  return create(service.stack.effects);
};

describe('The app of a function', () => {
  it.each(endpointNames.filter((name) => name !== 'unmatched'))(
    'answers the path and method of its row: %s',
    async (name) => {
      const { routes } = await createApp(name);
      const { path, methods } = endpointRow(name);
      const own = routes.filter(({ method }) => method !== 'ALL').map((route) => `${route.method} ${route.path}`);
      const expected = methods
        .filter((method) => method !== 'HEAD') // which Hono answers like GET
        .map((method) => `${method} ${path!.replaceAll(/\{(\w+)\}/g, ':$1')}`);
      expect(new Set(own)).toEqual(new Set(expected));
    },
  );

  it('does not compile with a limit that no middleware enforces', () => {
    const perMinute = { max: 100, group: 'any' };
    // @ts-expect-error A key's second is counted on its own item; a minute of a group is not counted for keys.
    const ad: Endpoint = { ...endpoints['ssp/ad'], limit: perMinute };
    // @ts-expect-error An operation without a credential has no caller to count.
    const click: Endpoint = { ...endpoints['click/redirect'], limit: perMinute };
    expect([ad.limit, click.limit]).toEqual([perMinute, perMinute]);
  });

  /** A body in chunks, without a content length. */
  const chunked = (bytes: number, chunk = 64 * 1024) => {
    let left = bytes;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const size = Math.min(left, chunk);
        if (size === 0) return controller.close();
        left -= size;
        controller.enqueue(new Uint8Array(size).fill(0x20));
      },
    });
  };
  const send = async (body: ReadableStream | string) => {
    const headers = { 'x-user-id': 'alice', 'content-type': 'application/json' };
    const init: RequestInit = { method: 'POST', headers, body, duplex: 'half' };
    const { fetch } = service.stack.apps['webhooks/create'];
    return fetch(new Request('https://ads.test/api/v1/webhooks', init), { requestId: 'r', sourceIp: '203.0.113.7' });
  };

  it('returns 413 for a chunked body above 1 MiB', async () => {
    expect((await send(chunked(2 ** 20 + 1))).status).toBe(413);
  });

  it('reads and validates a chunked body of 1 MiB', async () => {
    const answer = await send(chunked(2 ** 20));
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'The body must be valid JSON' }]);
  });

  it('reads an empty body as an empty object', async () => {
    for (const body of ['', chunked(0)]) {
      const answer = await send(body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'url is required' }]);
    }
  });

  /** A bid whose body arrives in two chunks; `between` runs after the first. */
  const sendInTwo = async (between: (controller: ReadableStreamDefaultController) => void) => {
    const body = JSON.stringify({ countryCode: 'US', messages: [{ role: 'user', content: 'Which running shoes?' }] });
    const chunks = [body.slice(0, 40), body.slice(40)];
    const stream = new ReadableStream({
      pull(controller) {
        if (chunks.length === 1) between(controller);
        const chunk = chunks.shift();
        return chunk === undefined ? controller.close() : controller.enqueue(new TextEncoder().encode(chunk));
      },
    });
    const headers = { 'x-api-key': await service.key(), 'content-type': 'application/json' };
    const request = new Request('https://ads.test/api/v1/ssp/bid', {
      method: 'POST',
      headers,
      body: stream,
      duplex: 'half',
    });
    return service.stack.apps['ssp/bid'].fetch(request, { requestId: 'r', sourceIp: '203.0.113.7' });
  };

  it('counts the deadline from the end of the body', async () => {
    await service.campaign();
    const answer = await sendInTwo(() => service.clock.advance(5_000));
    expect([answer.status, await answer.json()]).toMatchObject([200, { bid: 4 }]);
  });

  it('returns 400 for a body that ends early', async () => {
    const answer = await sendInTwo((controller) => controller.error(new Error('aborted')));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: [{ message: 'The body ended before it was complete' }] },
    ]);
    expect(JSON.parse(service.lines.at(-1)!)).toMatchObject({ level: 'info', operation: 'ssp/bid', status: 400 });
  });

  it('chooses the error shape by the path if no operation matches', async () => {
    const body = ' '.repeat(2 ** 20 + 1);
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const refusal = async (path: string): Promise<object> => {
      const request = new Request(`https://ads.test${path}`, { method: 'PUT', headers, body });
      return (
        await service.stack.apps.unmatched.fetch(request, { requestId: 'r', sourceIp: '203.0.113.7' })
      ).json() as Promise<object>;
    };
    expect(await refusal('/api/v1/trusted-match/context')).toMatchObject({ type: 'error' });
    expect(Object.keys(await refusal('/api/v1/ssp/bid'))).toEqual(['statusCode', 'message', 'error']);
    expect(Object.keys(await refusal('/api/v1/campaigns'))).toEqual(['error', 'message', 'statusCode']);
  });

  it('stops reading a body that is too large', async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(2 ** 16).fill(0x20));
      },
    });
    const headers = { 'x-api-key': await service.key(), 'content-type': 'application/json' };
    const request = new Request('https://ads.test/api/v1/trusted-match/context', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    });
    const { status } = await service.stack.apps['trusted-match/context'].fetch(request, {
      requestId: 'r',
      sourceIp: '203.0.113.7',
    });
    expect([status, pulled < 20]).toEqual([413, true]);
    const declared = new Request(request.url, {
      method: 'POST',
      headers: { ...headers, 'content-length': '2000000' },
      body: new ReadableStream({ pull: () => new Promise(() => {}) }),
      duplex: 'half',
    });
    const refused = service.stack.apps['trusted-match/context'].fetch(declared, {
      requestId: 'r',
      sourceIp: '203.0.113.7',
    });
    expect((await refused).status).toBe(413);
  });
});
