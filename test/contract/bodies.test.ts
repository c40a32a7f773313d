import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/platform/clock.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { scaleRuns, selectVariants } from '../run-size.ts';
import {
  type ContractRow,
  expectRefusal,
  fixture,
  fixtureBody,
  listFields,
  selectRows,
  send,
  toShape,
  withBody,
  withField,
  withHeaders,
} from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(MINUTE_MS)); // new rate windows

const withBodies = selectRows(({ body }) => body);
const post = (row: ContractRow, event: ReturnType<typeof fixture>) => send(service.stack.handlers, row.name, event);
let seeded: Promise<void> | undefined;
beforeEach(() => {
  seeded ??= seedFixtures(service.stack.effects);
  return seeded;
});

const required = (row: ContractRow) => (toShape(row).required ?? []).length > 0;

describe('A request body', () => {
  it.each(withBodies)('of %s is rejected if it is not JSON', async (_, row) => {
    for (const text of ['{', 'name=x', "{'name': 'x'}", '{"name": "x"}}', ' ', 'NaN', '\u0000', '[1,]', '"\ud800']) {
      const sent = await post(row, withBody(fixture(row.name), text));
      expectRefusal(row, sent, 400);
      expect(sent.body.details).toEqual([{ path: '', message: 'The body must be valid JSON' }]);
    }
  });

  it.each(withBodies)('of %s is rejected if it is not an object', async (_, row) => {
    for (const body of [null, true, 7, '"text"', [], [{}]]) {
      const sent = await post(row, withBody(fixture(row.name), body));
      expectRefusal(row, sent, 400);
      expect(sent.body.details).toEqual([{ path: '', message: 'The body must be a JSON object' }]);
    }
  });

  it.each(withBodies)('of %s is rejected with another content type, whatever it contains', async (_, row) => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
      '*/*',
      '',
    ];
    for (const type of [undefined, ...types]) {
      expectRefusal(row, await post(row, withHeaders(fixture(row.name), { 'content-type': type })), 415);
    }
  });

  it.each(withBodies)('of %s is accepted as JSON in every spelling of the content type', async (_, row) => {
    const spellings = [
      'application/json',
      'APPLICATION/JSON',
      'application/json;charset=utf-8',
      'application/json ; charset=x',
    ];
    for (const type of [...spellings, 'application/vnd.api+json', 'application/problem2+json']) {
      const event = withHeaders(withBody(fixture(row.name), '[]'), { 'content-type': type });
      expect((await post(row, event)).body.details[0].message, type).toBe('The body must be a JSON object');
    }
  });

  /** The request with a body of other bytes than text, as the gateway sends it. */
  const withBytes = (row: ContractRow, bytes: Uint8Array, coding?: string) => ({
    ...withHeaders(fixture(row.name), { 'content-type': 'application/json', 'content-encoding': coding }),
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  });

  it.each(withBodies)('of %s may be compressed with gzip', async (_, row) => {
    for (const text of ['[]', '{"name": 7, "messages": 7, "url": 7}', '{"x', '']) {
      service.clock.advance(DAY_MS); // a secret may be rotated five times a day
      const plain = await post(row, withBody(fixture(row.name), text));
      for (const coding of ['gzip', 'GZIP', 'x-gzip']) {
        service.clock.advance(DAY_MS);
        const sent = await post(row, withBytes(row, gzipSync(text), coding));
        expect(sent.status, `${coding} ${text}`).toBe(plain.status);
        if (plain.status >= 400) expect(sent.text).toBe(plain.text);
      }
    }
    for (const coding of ['', 'identity', 'Identity']) {
      const event = withHeaders(withBody(fixture(row.name), '[]'), { 'content-encoding': coding });
      expect((await post(row, event)).body.details[0].message, coding).toBe('The body must be a JSON object');
    }
  });

  it.each(withBodies)('of %s is rejected if compressed in another way', async (_, row) => {
    const codings = ['br', 'deflate', 'zstd', 'gzip, gzip', 'identity, gzip', 'gzip;q=1', 'x'];
    for (const coding of codings) {
      const sent = await post(row, withBytes(row, gzipSync('{}'), coding));
      expectRefusal(row, sent, 415);
      expect(sent.body.message).toBe('Content-Encoding must be gzip, or absent');
      expect(sent.headers['accept-encoding']).toBe('gzip'); // RFC 9110, section 15.5.16
      const { body: _, ...empty } = withHeaders(fixture(row.name), { 'content-encoding': coding });
      service.clock.advance(DAY_MS);
      expect((await post(row, empty)).status).not.toBe(415);
    }
  });

  it.each(withBodies)('of %s is rejected if its gzip is damaged', async (_, row) => {
    const whole = gzipSync(JSON.stringify(fixtureBody(row.name)));
    const changed = (at: number) => whole.map((byte, index) => (index === whole.length + at ? byte ^ 1 : byte));
    const damaged = [whole.subarray(0, -1), whole.subarray(0, 5), changed(-6), changed(-1), Buffer.from('{}')];
    for (const bytes of [...damaged, Buffer.concat([whole, Buffer.from('{}')])]) {
      const sent = await post(row, withBytes(row, bytes, 'gzip'));
      expectRefusal(row, sent, 400);
      expect(sent.body.details).toEqual([
        { path: '', message: 'The body must be valid gzip, as Content-Encoding says' },
      ]);
    }
  });

  it.each(withBodies)('of %s may have at most 1 MiB after decompression', async (_, row) => {
    const text = (bytes: number) => gzipSync(`${' '.repeat(bytes - 2)}[]`);
    expect((await post(row, withBytes(row, text(2 ** 20), 'gzip'))).body.details[0].message).toBe(
      'The body must be a JSON object',
    );
    for (const bytes of [text(2 ** 20 + 1), text(2 ** 24), Buffer.alloc(2 ** 20 + 1)]) {
      const sent = await post(row, withBytes(row, bytes, 'gzip'));
      expectRefusal(row, sent, 413);
      expect(sent.body.message).toBe('The body must be at most 1 MiB');
    }
  });

  it.each(withBodies)('of %s may have exactly 1 MiB', async (_, row) => {
    const body = (bytes: number) => {
      const whole = JSON.stringify({ ...fixtureBody(row.name), name: 7, messages: 7, url: 7, more: '' });
      return whole.replace(/""}$/, `"${'x'.repeat(bytes - whole.length)}"}`);
    };
    expect((await post(row, withBody(fixture(row.name), body(2 ** 20)))).status).toBeLessThan(413);
    for (const event of [
      withBody(fixture(row.name), body(2 ** 20 + 1)),
      withBody(fixture(row.name), 'ü'.repeat(2 ** 19 + 1)),
    ]) {
      const sent = await post(row, event);
      expectRefusal(row, sent, 413);
      expect(sent.body.message).toBe('The body must be at most 1 MiB');
    }
  });

  it.each(withBodies)('of %s is accepted in base64', async (_, row) => {
    const event = { ...withBody(fixture(row.name), Buffer.from('{"x').toString('base64')), isBase64Encoded: true };
    expect((await post(row, event)).body.details[0].message).toBe('The body must be valid JSON');
  });

  it.each(withBodies)('of %s reads as {} if it is empty, whatever its type', async (_, row) => {
    for (const type of [undefined, 'text/plain', 'application/json']) {
      service.clock.advance(DAY_MS); // a secret may be rotated five times a day
      const whole = await post(row, withBody(fixture(row.name), {}));
      const { body: _, ...bare } = withHeaders(fixture(row.name), { 'content-type': type });
      for (const event of [bare, { ...bare, body: '' }]) {
        const sent = await post(row, event);
        expect(sent.status).toBe(whole.status);
        if (required(row)) expect(sent.text).toBe(whole.text);
      }
    }
  });
});

describe('A body with many faults', () => {
  const lists = withBodies.flatMap(([name, row]) =>
    listFields(toShape(row))
      .filter(({ path, types }) => types.has('array') && path.every((part) => typeof part === 'string'))
      .map(({ path }) => [name, path.join('.'), row, path] as const),
  );

  it.each(lists)('of %s in %s gets a bounded response', async (name, _, row, path) => {
    const faults = Array.from({ length: scaleRuns(250_000) }, () => 7);
    const sent = await post(row, withBody(fixture(name), withField(fixtureBody(name), path, faults)));
    expectRefusal(row, sent, 400);
    expect(sent.text.length).toBeLessThan(10_000);
  });
});

describe('A field of the wrong type', () => {
  const WRONG: [string, unknown][] = [
    ['null', null],
    ['boolean', true],
    ['number', 7],
    ['string', 'text'],
    ['array', []],
    ['object', {}],
  ];
  const fields = withBodies
    .flatMap(([name, row]) =>
      listFields(toShape(row)).map((field) => ({ name, path: field.path.join('.'), row, field })),
    )
    // No bid depends on these: malformed, they count as absent (test/functions/openrtb2/supply-chain.test.ts).
    .filter(({ name, path }) => name !== 'openrtb2/bid' || !['source', 'source.ext'].includes(path))
    .map((one, at) => ({ ...one, at }));

  it.each(fields)('of $name is rejected by name: $path', async ({ name, path, row, field, at }) => {
    const isWrong = ([type]: [string, unknown]) =>
      !(field.types.has(type) || (field.types.has('integer') && type === 'number') || field.types.has('any'));
    for (const [type, value] of selectVariants(WRONG.filter(isWrong), at)) {
      const sent = await post(row, withBody(fixture(name), withField(fixtureBody(name), field.path, value)));
      expectRefusal(row, sent, 400);
      const fault = sent.body.details.find((detail: { path: string }) => detail.path === path);
      expect(fault, `${type} ${sent.text}`).toBeDefined();
      expect(fault.message).not.toMatch(/^Invalid|\bexpected\b/);
      const words = field.path.filter((part) => typeof part === 'string');
      expect(
        words.some((word) => fault.message.toLowerCase().includes(word.replace(/s$/, '').toLowerCase())),
        fault.message,
      ).toBe(true);
    }
  });

  it.each(withBodies.filter(([, row]) => required(row)))(
    'of %s that is required and missing is named',
    async (name, row) => {
      for (const field of listFields(toShape(row)).filter(
        (one) => one.required && typeof one.path.at(-1) === 'string',
      )) {
        const sent = await post(row, withBody(fixture(name), withField(fixtureBody(name), field.path, undefined)));
        expectRefusal(row, sent, 400);
        const path = field.path.join('.');
        const fault = sent.body.details.find((detail: { path: string }) => detail.path === path);
        expect(fault?.message, path).toMatch(new RegExp(`\\b${String(field.path.at(-1))}\\b.* is required`, 'i'));
      }
    },
  );
});
