import { readFileSync } from 'node:fs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { tableNames } from '../../shared/platform/tables.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { untyped } from '../memory/untyped-database.ts';

// @module-tag whole
const service = useServiceInMemory({ BUDGET_SHARDS: 'true' });

/** Every item of a service at the commit in the file's name, with that version's responses and the credentials of its callers. */
const { tables, given } = JSON.parse(
  readFileSync(new URL('./upgrade/items-5a101257.json', import.meta.url), 'utf8'),
  (_, value) => (value?.base64 ? Buffer.from(value.base64, 'base64') : value),
);
const { key, replaced, campaigns, bids, answers } = given;
const alice = (method: string, path: string, body?: unknown) => service.user()(method, path, body);
const publisher = (method: string, path: string, body?: unknown) => service.user('publisher')(method, path, body);
const figures = async (id: string) => (await alice('GET', `/campaigns/${id}`)).body;

beforeAll(async () => {
  const { effects } = service.stack;
  for (const table of tableNames)
    for (const item of tables[table] ?? []) await untyped(effects.db).write({ table, put: unmarshall(item) });
  service.clock.set(given.at + 2_000);
});

describe('Data stored by the version at 5a101257', () => {
  it('is listed as that version listed it', async () => {
    const listed = (await alice('GET', '/campaigns')).body;
    expect(listed).toMatchObject(answers.list);
    const [apiKey] = (await publisher('GET', '/auth/api-keys')).body;
    expect(apiKey).toMatchObject(answers.keys[0]);
    expect((await alice('GET', '/webhooks')).body).toMatchObject(answers.webhooks);
    expect((await alice('GET', `/webhooks/${given.webhook}/deliveries`)).body).toMatchObject(answers.deliveries);
  });

  it('has keys of balanced strictness, which they keep until it is changed', async () => {
    expect(tables['key-settings'].map((item: object) => 'adStrictness' in item)).not.toContain(true);
    const change = (body: object) => publisher('PATCH', `/auth/api-keys/${given.keyId}`, body);
    expect((await change({ turnSpacing: answers.keys[0].turnSpacing })).body.adStrictness).toBe('balanced');
    expect((await change({ adStrictness: 'open' })).body.adStrictness).toBe('open');
    expect((await change({ adStrictness: null })).body).toMatchObject({ ...answers.keys[0], adStrictness: 'balanced' });
  });

  it('is reported with the same figures', async () => {
    const { body: report } = await alice('GET', `/campaigns/${campaigns.shoes}/report`);
    // What that version did not count is 0.
    const suspectClicks = { tooFast: 0, tooMany: 0 };
    const more = { conversionValue: 0, notRelevant: 0, viewableImpressions: 0, suspectClicks };
    expect(report).toEqual(expect.arrayContaining(answers.report.map((day: object) => ({ ...day, ...more }))));
    const { body: keyReport } = await publisher('GET', `/auth/api-keys/${given.keyId}/report`);
    expect(keyReport).toEqual(
      expect.arrayContaining(answers.keyReport.map((day: object) => expect.objectContaining(day))),
    );
  });

  it('accepts both secrets of a rotated key, and applies the limits of its conversations', async () => {
    for (const secret of [key, replaced])
      expect((await service.bid(secret)).body).toMatchObject({ bid: 4, bidId: expect.any(String) });
    service.clock.advance(1_000);
    const spaced = await service.bid(key, 'Which running shoes?', { conversation: { id: 'talk', turn: 2 } });
    expect(spaced.body).toBeNull();
    expect(
      (await service.bid(key, 'Which running shoes?', { conversation: { id: 'talk', turn: 4 } })).body,
    ).not.toBeNull();
  });

  it('serves an issued bid once, with the changed creative', async () => {
    const before = await figures(campaigns.shoes);
    const first = await service.ad(key, bids.pending);
    expect([first.status, first.body.adText]).toEqual([200, expect.stringContaining('Run even further')]);
    expect((await service.ad(key, bids.pending)).body).toEqual(first.body);
    const { spentBudget } = await figures(campaigns.shoes);
    expect(spentBudget - before.spentBudget).toBeCloseTo(0.004, 9);
  });

  it('charges the open shard of a budget', async () => {
    expect((await service.ad(key, bids.spread)).status).toBe(200);
    expect((await figures(campaigns.spread)).spentBudget).toBe(0.008);
  });

  it('charges a bid of an exchange by its notice', async () => {
    const before = (await figures(campaigns.shoes)).spentBudget;
    const { pathname, search } = new URL(given.nurl.replace(/\$\{\w+\}/, '4'));
    expect((await service.call('GET', pathname, { query: search.slice(1) })).status).toBeLessThan(300);
    expect((await figures(campaigns.shoes)).spentBudget - before).toBeCloseTo(0.004, 9);
  });

  it('counts only the first click of a served ad', async () => {
    const click = (id: string) =>
      service.call('GET', `/api/v1/click/${id}`, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } });
    await service.stack.drainStreams(); // The streams treat loaded items as new.
    const { clicks } = (await figures(campaigns.shoes)).performance;
    const again = await click(bids.clicked);
    expect([again.status, again.headers.location]).toEqual([302, answers.clickedLocation]);
    expect((await click(bids.unclicked)).status).toBe(302);
    await service.stack.drainStreams();
    expect((await figures(campaigns.shoes)).performance.clicks).toBe(clicks + 1);
  });

  it('records no repeated conversion, and records another conversion of the same click', async () => {
    const { conversionId, conversionType, value, currency } = given.conversion;
    const convert = (id: string) =>
      alice('POST', '/conversions', { clickId: given.legacyClick, conversionType, value, currency, conversionId: id });
    const { conversions } = (await figures(campaigns.shoes)).performance;
    expect((await convert(conversionId)).body).toMatchObject(given.conversion);
    expect((await convert('order-2')).status).toBe(201);
    await service.stack.drainStreams();
    expect((await figures(campaigns.shoes)).performance.conversions).toBe(conversions + 1);
  });

  it('is updated, paused, and deleted like data of this version', async () => {
    expect((await alice('PATCH', `/campaigns/${campaigns.paused}`, { status: 'active' })).body.status).toBe('active');
    expect((await alice('PATCH', `/campaigns/${campaigns.spread}`, { budget: 2_000 })).body.budget).toBe(2_000);
    expect((await alice('DELETE', `/campaigns/${campaigns.once}`)).status).toBeLessThan(300);
    expect((await alice('PATCH', `/webhooks/${given.webhook}`, { description: 'Mine' })).body.description).toBe('Mine');
    expect((await publisher('POST', `/auth/api-keys/${given.keyId}/rotate`)).status).toBeLessThan(300);
    const actions = async (userId: string, id: string) => {
      const call = { headers: { 'x-user-id': userId }, query: `subject=${id}` };
      const { entries } = (await service.call('GET', '/api/v1/activity', call)).body;
      return entries.map(({ action }: { action: string }) => action);
    };
    expect(await actions('alice', campaigns.paused)).toEqual(['updated']);
    expect(await actions('alice', campaigns.once)).toEqual(['deleted']);
    expect(await actions('alice', given.webhook)).toEqual(['updated']);
    expect(await actions('publisher', given.keyId)).toEqual(['rotated', 'updated', 'updated']);
  });
});
