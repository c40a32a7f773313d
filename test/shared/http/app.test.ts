import type { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpointRow, endpoints } from '../../../shared/operations/endpoints.ts';
import type { Endpoint } from '../../../shared/operations/rows.ts';
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

  it('does not compile with a limit that nothing enforces', () => {
    const perMinute = { most: 100, group: 'any' };
    // @ts-expect-error A key's second is counted on its own item; a minute of a group is not counted for keys.
    const ad: Endpoint = { ...endpoints['ssp/ad'], limit: perMinute };
    // @ts-expect-error An open operation has no caller whose requests could be counted.
    const click: Endpoint = { ...endpoints['click/redirect'], limit: perMinute };
    expect([ad.limit, click.limit]).toEqual([perMinute, perMinute]);
  });

  /** A request whose body comes in chunks, without a length. */
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

  it('refuses a body in chunks once they are more than 1 MiB', async () => {
    expect((await send(chunked(2 ** 20 + 1))).status).toBe(413);
  });

  it('reads a body in chunks of at most 1 MiB, and then says what is wrong with it', async () => {
    const answer = await send(chunked(2 ** 20));
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'The body must be valid JSON' }]);
  });

  it('reads an empty body as an empty object', async () => {
    for (const body of ['', chunked(0)]) {
      const answer = await send(body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'url is required' }]);
    }
  });
});
