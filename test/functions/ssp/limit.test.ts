import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const ok = (responses: { status: number }[]) => responses.filter(({ status }) => status === 200).length;

describe('The limit of 15 requests per second', () => {
  it('accepts exactly 15 of 30 concurrent bids and answers the others with the time to wait', async () => {
    const key = await service.key();
    const responses = await Promise.all(Array.from({ length: 30 }, () => service.bid(key)));
    expect(ok(responses)).toBe(15);
    const refused = responses.find(({ status }) => status === 429)!;
    expect(refused.body).toEqual({ statusCode: 429, message: 'Too Many Requests', error: 'Rate Limit Exceeded' });
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '15',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    });
    expect(responses.map(({ headers }) => headers['ratelimit-remaining']).sort()).toContain('14');
  });

  it('accepts exactly 15 across instances', async () => {
    const key = await service.key();
    const instances = await Promise.all(Array.from({ length: 6 }, () => createHandlers(service.stack.effects)));
    const calls = instances.map((handlers) => createCaller(() => handlers));
    const bid = {
      headers: { 'x-api-key': key },
      body: { countryCode: 'US', messages: [{ role: 'user', content: 'hi' }] },
    };
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => calls[i % 6]!('POST', '/api/v1/ssp/bid', bid)),
    );
    expect(ok(responses)).toBe(15);
  });

  it('slides: each place is free exactly one second after it was taken', async () => {
    const { clock } = service;
    const bursts: [after: number, count: number, accepted: number][] = [
      [0, 5, 5],
      [600, 20, 10],
      [399, 1, 0],
      [1, 20, 5],
      [599, 1, 0],
      [1, 20, 10],
    ];
    const run = async () => {
      const key = await service.key();
      const startedAt = clock.now();
      const accepted: number[] = [];
      for (const [after, count] of bursts) {
        clock.advance(after);
        accepted.push(ok(await Promise.all(Array.from({ length: count }, () => service.bid(key)))));
      }
      return { accepted, tookMs: clock.now() - startedAt };
    };
    const inAll = bursts.reduce((sum, [after]) => sum + after, 0);
    let result = await run();
    // The pause before a retry of a store call moves this clock too, so the time is not exact to the millisecond.
    while (result.tookMs !== inAll) result = await run();
    expect(result.accepted).toEqual(bursts.map(([, , accepted]) => accepted));
  });

  it('counts bids and ads separately, and every key separately', async () => {
    const [key, other] = [await service.key(), await service.key()];
    await Promise.all(Array.from({ length: 15 }, () => service.bid(key)));
    expect((await service.bid(key)).status).toBe(429);
    expect((await service.ad(key, 'x')).status).toBe(404);
    expect((await service.bid(other)).status).toBe(200);
  });

  it("adds accepted requests to the key's count, whatever their result, and leaves out rejected ones", async () => {
    const key = await service.key();
    await Promise.all(Array.from({ length: 20 }, () => service.bid(key)));
    await service.ad(key, 'x');
    service.clock.advance(1000);
    const last = service.clock.now();
    expect((await service.call('POST', '/api/v1/ssp/bid', { headers: { 'x-api-key': key }, body: {} })).status).toBe(
      400,
    );
    const { keyFingerprint } = await import('../../../shared/keys/credential.ts');
    expect(await service.stack.effects.db.get('api-keys', { id: keyFingerprint(key) })).toMatchObject({
      requestCount: 17,
      lastUsedAt: new Date(last).toISOString(),
    });
  });
});
