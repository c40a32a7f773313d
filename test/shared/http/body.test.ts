import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { getMaxRatio, measureCosts } from '../../contract/text-cost.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(1_000));

const MIB = 2 ** 20;
const BID = { countryCode: 'US', messages: [{ role: 'user', content: 'Which running shoes would you recommend?' }] };

/** Sends a body as a server or a Worker receives it. */
async function send(path: string, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>, method = 'POST') {
  const { apps } = service.stack;
  const app = { '/ssp/bid': apps['ssp/bid'], '/campaigns': apps['campaigns/create'] }[path] ?? apps.unmatched;
  const all = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...headers };
  const request = new Request(`https://ads.test/api/v1${path}`, { method, headers: all, body });
  return app.fetch(request, { requestId: 'r', sourceIp: '203.0.113.7' });
}
const pack = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)));

describe('A compressed body', () => {
  it('of a bid gets the same ad', async () => {
    await service.campaign();
    const answer = await send('/ssp/bid', { 'x-api-key': await service.key() }, pack(BID));
    expect([answer.status, await answer.json()]).toMatchObject([200, { bid: 4 }]);
  });

  it('counts as the same body for its Idempotency-Key', async () => {
    const headers = { 'x-user-id': 'alice', 'idempotency-key': 'k1' };
    const create = (body: object) => send('/campaigns', headers, pack(body));
    const plain = { headers, body: { name: 'Zipped' } };
    const made = await service.call('POST', '/api/v1/campaigns', plain);
    const repeated = await create({ name: 'Zipped' });
    expect([repeated.status, await repeated.json()]).toMatchObject([201, { id: made.body.id }]);
    expect((await create({ name: 'Other' })).status).toBe(409);
  });

  it('that is refused does not hide that the key is wrong or the path unknown', async () => {
    const damaged = pack(BID).slice(0, -1);
    expect((await send('/ssp/bid', {}, damaged)).status).toBe(401);
    expect((await send('/ssp/bids', {}, damaged)).status).toBe(404);
    expect((await send('/ssp/bids', { 'content-encoding': 'br' }, damaged)).status).toBe(404);
  });

  it('is ignored by an operation that reads none', async () => {
    const made = await service.campaign({}, 'alice');
    const headers = { 'x-user-id': 'alice', 'content-encoding': 'br' };
    const { status } = await service.call('DELETE', `/api/v1/campaigns/${made.id}`, { headers, body: {} });
    expect(status).toBe(200);
  });

  it('of at most 1 MiB takes at most a few times as long as an ordinary one of that size', async () => {
    const filled = { more: 'x'.repeat(MIB - 200), ...BID };
    const whole = gzipSync(JSON.stringify(filled));
    const empty = gzipSync('');
    const repeat = (part: Uint8Array, bytes: number) => Buffer.alloc(bytes - (bytes % part.length), part);
    const emptyBlocks = repeat(Uint8Array.of(0, 0, 0, 0xff, 0xff), MIB - 20);
    const bodies: Record<string, Uint8Array> = {
      'compressed to a thousandth': whole,
      'a bomb of 128 MiB': gzipSync(Buffer.alloc(128 * MIB)),
      'empty members': repeat(empty, MIB),
      'empty blocks': Buffer.concat([empty.subarray(0, 10), emptyBlocks, Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0)]),
      'damaged at its end': whole.subarray(0, -1),
      noise: gzipSync(randomBytes(768_000).toString('base64')),
      ordinary: Buffer.from(JSON.stringify(filled)),
    };
    const key = await service.key();
    const sendNamed = async (name: string) => {
      service.clock.advance(1_000);
      const coding = name === 'ordinary' ? 'identity' : 'gzip';
      return (await send('/ssp/bid', { 'x-api-key': key, 'content-encoding': coding }, new Uint8Array(bodies[name]!)))
        .status;
    };
    const names = Object.fromEntries(Object.keys(bodies).map((name) => [name, () => name]));
    const least: Record<string, number> = {};
    const tooSlow = () => Object.keys(names).filter((name) => !(least[name]! / least.ordinary! < getMaxRatio(name)));
    // A busy machine slows single rounds. Only slow bodies slow every round.
    for (let round = 0; round < 12 && (round < 2 || tooSlow().length > 0); round++)
      for (const [name, { ms }] of Object.entries(await measureCosts(sendNamed, names, 1)))
        least[name] = Math.min(ms, least[name] ?? Number.POSITIVE_INFINITY);
    expect(tooSlow(), JSON.stringify(least)).toEqual([]);
  });
});
