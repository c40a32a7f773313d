import { beforeAll, describe, expect, it } from 'vitest';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { findRoute } from '../../shared/http/runtimes/route.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { parsePathParameters } from '../service.ts';
import { HOSTILE_SEGMENTS } from './arbitrary.ts';
import {
  type ContractRow,
  expectRefusal,
  fixture,
  selectRows,
  send,
  type TestResponse,
  withCaller,
  withParameters,
} from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));

const named = selectRows(({ path, credential }) => path?.includes('{') && credential !== 'none');
const ask = (row: ContractRow, event: ReturnType<typeof fixture>) => send(service.stack.handlers, row.name, event);
/** The same shape with different content: digits and letters shift by one. */
const another = (id: string) =>
  id.replace(/.{6}$/, (end) =>
    end
      .replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
      .replace(/[a-e]/g, 'f')
      .replace(/[g-z]/g, 'a'),
  );

/** Everything that a caller can see, except request counts. */
const getVisible = ({ status, text, headers }: TestResponse) => {
  const { 'ratelimit-remaining': _, 'ratelimit-reset': __, ...others } = headers;
  return { status, text, headers: others };
};

describe('Unknown ids', () => {
  it.each(named)('get the same response from %s as any other unknown id', async (name, row) => {
    const who = { user: `asks-${name}`, key: await service.key() };
    const event = withParameters(withCaller(row, fixture(name), who), another);
    const unknown = await ask(row, event);
    expectRefusal(row, unknown, 404);
    expect(unknown.body.message).not.toBe('Route not found');
    const unknownId = String(Object.values(event.pathParameters)[0]);
    for (const id of HOSTILE_SEGMENTS) {
      const path = event.rawPath.replace(unknownId, () => id);
      expect(findRoute(event.requestContext.http.method, path)).toBe(name);
      const sent = await ask(row, {
        ...event,
        rawPath: decodeURIComponent(path.replace('%ZZ', '%25ZZ')),
        pathParameters: parsePathParameters(name, path),
      });
      expect(getVisible(sent), id).toEqual(getVisible(unknown));
    }
  });

  it.each(named)('are not found by %s if they only start with an existing id', async (name, row) => {
    const event = fixture(name);
    const id = Object.values(event.pathParameters!)[0]!;
    for (const longer of [
      `${id}?x`,
      `${id}#x`,
      `${id}/x`,
      ` ${id}`,
      `${id}\n`,
      encodeURIComponent(`${id[0]}`).replace(/./, '%2563') + id.slice(1),
    ]) {
      expectRefusal(
        row,
        await ask(
          row,
          withParameters(event, () => longer),
        ),
        404,
      );
    }
  });
});

describe("Another owner's things", () => {
  it.each(named)('get from %s exactly the response of an unknown id', async (name, row) => {
    const stranger = { user: 'stranger', key: await service.key() };
    const otherOwners = await ask(row, withCaller(row, fixture(name), stranger));
    const unknown = await ask(row, withCaller(row, withParameters(fixture(name), another), stranger));
    expectRefusal(row, otherOwners, 404);
    expect(getVisible(otherOwners)).toEqual(getVisible(unknown));
    // The thing exists: its owner finds it unchanged.
    expect((await ask(row, fixture(name))).status).toBeLessThan(300);
  });
});

describe('An invalid host', () => {
  it.each(selectRows(() => true))('does not affect %s', async (name) => {
    const event = fixture(name);
    const sent = await send(service.stack.handlers, name, { ...event, headers: { ...event.headers, host: 'a b<>' } });
    expect(sent.status).toBeLessThan(500);
  });
});

describe('An unexpected body', () => {
  const bare = selectRows(({ body, path }) => !body && path);

  it.each(bare)('does not affect %s', async (name, row) => {
    const event = withCaller(row, fixture(name), { user: `brings-${name}`, key: await service.key() });
    const { status, text } = await ask(row, event);
    const send = (body: string) =>
      ask(row, { ...event, body, headers: { ...event.headers, 'content-type': 'text/plain' } });
    for (const body of ['{"name": "x"}', 'x'.repeat(2 ** 20), '\u0000', '{']) {
      const sent = await send(body);
      expect([sent.status, sent.text]).toEqual([status, text]);
    }
    const { method } = event.requestContext.http;
    expect((await send('x'.repeat(2 ** 20 + 1))).status).toBe(method === 'GET' ? status : 413);
  });
});
