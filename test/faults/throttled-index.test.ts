import { beforeAll, describe, expect, it } from 'vitest';
import type { HttpHandlers } from '../../infra/local/functions.ts';
import type { Database } from '../../shared/platform/database.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createCaller, createHandlers } from '../service.ts';

// @module-tag whole
const service = useServiceInMemory({ CAMPAIGN_REFRESH_SECONDS: '1' });
let isThrottled = false;
let handlers: HttpHandlers;
const call = createCaller(() => handlers);

/** The service's store, whose change index fails on request. */
const db = (): Database => ({
  ...service.stack.effects.db,
  async *query(query) {
    if (isThrottled && query.index === 'byChange') throw new Unavailable('throttled');
    yield* service.stack.effects.db.query(query);
  },
});

beforeAll(async () => {
  await service.campaign();
  handlers = await createHandlers({ ...service.stack.effects, db: db() });
});

const bid = async () =>
  call('POST', '/api/v1/ssp/bid', {
    headers: { 'x-api-key': await service.key(), 'x-debug': 'true' },
    body: { countryCode: 'US', messages: [{ role: 'user', content: 'running shoes' }] },
  });
const ads = async () =>
  call('POST', '/api/v1/ad-serving/request', {
    headers: { 'x-api-key': await service.key(), 'x-debug': 'true' },
    body: { context: { conversation: 'running shoes' } },
  });

describe('A throttled change index', () => {
  it('loses no bid and no ad for 59 seconds', async () => {
    isThrottled = false;
    await Promise.all([bid(), ads()]);
    isThrottled = true;
    service.clock.advance(59_000);
    service.measured.length = 0;
    expect((await bid()).body).toMatchObject({ bidId: expect.any(String) });
    expect(await ads()).toMatchObject({ status: 200, body: { ads: [{ type: 'text' }] } });
    expect(service.measured).toContainEqual({ name: 'CatalogAge', value: 59_000 });
  });

  it('causes no-bids after 61 seconds: null without an error, explained in X-Debug and in the metrics', async () => {
    isThrottled = false;
    await Promise.all([bid(), ads()]);
    isThrottled = true;
    service.clock.advance(61_000);
    service.measured.length = 0;
    const { status, body, headers } = await bid();
    expect({ status, body }).toEqual({ status: 200, body: null });
    expect(JSON.parse(headers['x-debug-info']!)).toMatchObject({ reason: 'catalog_stale', candidates: [] });
    expect(service.measured).toContainEqual({ name: 'NoBids.catalog_stale', value: 1 });
    expect(service.measured).toContainEqual({ name: 'CatalogAge', value: 61_000 });

    service.measured.length = 0;
    expect((await ads()).body).toMatchObject({ error: 'No ads available', debug: { reason: 'catalog_stale' } });
    expect(service.measured).toContainEqual({ name: 'NoBids.catalog_stale', value: 1 });
  });

  it('causes no-bids on a new instance until the index responds', async () => {
    isThrottled = true;
    handlers = await createHandlers({ ...service.stack.effects, db: db() });
    expect(await bid()).toMatchObject({ status: 200, body: null });
    isThrottled = false;
    expect((await bid()).body).toMatchObject({ bidId: expect.any(String) });
  });
});
