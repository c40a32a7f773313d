import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { addCampaign } from '../../../shared/campaigns/add.ts';
import { STATUSES } from '../../../shared/campaigns/campaign.ts';
import { toCampaignItem } from '../../../shared/campaigns/items.ts';
import { isoTime, MINUTE_MS } from '../../../shared/platform/clock.ts';
import type { Item } from '../../../shared/platform/items.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { runningShoes } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const list = (query = '', user = 'some') =>
  service.call('GET', '/api/v1/campaigns', { headers: { 'x-user-id': user }, query });
const names = ({ body }: Awaited<ReturnType<typeof list>>): string[] => body.map(({ name }: { name: string }) => name);

/** This many campaigns, cycling through the statuses. */
const campaigns = (length: number) =>
  Array.from({ length }, (_, index) => ({ name: `Campaign ${index}`, status: STATUSES[index % STATUSES.length]! }));

/** Two users: one with the maximum number of campaigns per page, one with fewer for tests that do not depend on the number. */
const OF = { big: campaigns(1_000), some: campaigns(100) };

/** Adds the first campaign of each status and copies it for the others, because a thousand transactions would be slow. */
beforeAll(async () => {
  const { effects } = service.stack;
  for (const [user, all] of Object.entries(OF)) {
    const added = new Map<string, Item<'campaigns'>>();
    for (const campaign of all.slice(0, STATUSES.length)) {
      const saved = await addCampaign(effects, getLexicon(), user, campaign);
      if (saved.outcome !== 'saved') throw new Error(saved.outcome);
      added.set(campaign.status, toCampaignItem(saved.campaign));
      service.clock.advance(1);
    }
    const copies = all.slice(STATUSES.length).map(({ name, status }) => {
      const id = effects.ids.ordered('campaign');
      service.clock.advance(1);
      return { ...added.get(status)!, id, item: `campaign#${id}`, name, createdAt: isoTime(service.clock.now()) };
    });
    for (const put of copies) await untyped(effects.db).write({ table: 'campaigns', put });
  }
});
beforeEach(() => service.clock.advance(MINUTE_MS));

describe('GET /campaigns', () => {
  it('returns the first 20 in creation order and the total count', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.headers['x-total-count']).toBe('100');
    expect(names(answer)).toEqual(OF.some.slice(0, 20).map(({ name }) => name));
  });

  it('contains exactly the fields of a summary', async () => {
    const [first] = (await list('limit=1')).body;
    expect(Object.keys(first)).toEqual([
      ...['id', 'name', 'description', 'budget', 'dailyBudget', 'spentBudget', 'spentToday', 'status', 'performance'],
      ...['createdAt', 'updatedAt'],
    ]);
    expect(first).toMatchObject({
      spentBudget: 0,
      performance: { impressions: 0, clicks: 0, conversions: 0, ctr: 0, averageCpb: 0, notRelevant: 0 },
    });
  });

  it("adds the same `serving` as the campaign's own page on request", async () => {
    const { creative } = runningShoes();
    await service.campaign({ name: 'Serving' }, 'lister');
    await service.campaign({ name: 'Penniless', budget: 0 }, 'lister');
    await service.campaign({ name: 'Speechless', creative: { ...creative, headline: '' } }, 'lister');
    const { body } = await list('serving=true', 'lister');
    const summaries = body.map(({ name, serving }: { name: string; serving: { reasons: { code: string }[] } }) => [
      name,
      serving.reasons.map(({ code }) => code),
    ]);
    expect(summaries).toEqual([
      ['Serving', []],
      ['Penniless', ['budget']],
      ['Speechless', ['incomplete']],
    ]);
    for (const { id, serving } of body)
      expect((await service.user('lister')('GET', `/campaigns/${id}`)).body.serving).toEqual(serving);
  });

  it('returns all 1,000 at once in creation order', async () => {
    expect(names(await list('limit=1000', 'big'))).toEqual(OF.big.map(({ name }) => name));
  });

  it('returns every campaign exactly once across pages', async () => {
    const pages: string[] = [];
    for (let offset = 0; offset < 1_200; offset += 240) {
      const { headers, ...page } = await list(`limit=240&offset=${offset}`, 'big');
      expect(headers['x-total-count']).toBe('1000');
      pages.push(...names({ headers, ...page }));
    }
    expect(pages).toEqual(OF.big.map(({ name }) => name));
  });

  it('keeps the order when campaigns change', async () => {
    const { id } = (await list('limit=1&offset=50')).body[0];
    expect((await service.user('some')('PATCH', `/campaigns/${id}`, { description: 'Changed' })).status).toBe(200);
    expect((await list('limit=1&offset=50')).body[0]).toMatchObject({ id, description: 'Changed' });
  });

  it.each(STATUSES)('filters by the status %s and counts the matches', async (status) => {
    const matching = OF.some.filter((campaign) => campaign.status === status).map(({ name }) => name);
    const answer = await list(`status=${status}&limit=5&offset=17`);
    expect(answer.headers['x-total-count']).toBe('20');
    expect(names(answer)).toEqual(matching.slice(17));
    expect(new Set(answer.body.map((campaign: { status: string }) => campaign.status))).toEqual(new Set([status]));
  });

  it.each([
    ['limit=1', 1],
    ['limit=1000&offset=99', 1],
    ['offset=0', 20],
    ['offset=100', 0],
    ['offset=999999999999999999999999', 0],
    ['limit=007', 7],
    ['unknown=1', 20],
    ['status=completed&offset=19', 1],
  ])('accepts %s', async (query, count) => {
    const answer = await list(query);
    expect([answer.status, answer.body.length]).toEqual([200, count]);
  });

  it.each([
    ...[
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=1.5',
      'limit=',
      'limit=ten',
      'limit=1e2',
      'limit=%201',
      'limit=0x10',
    ],
    ...['limit=NaN', 'limit=1&limit=2', 'limit=%E0%A4%A', 'limit=%F0%9F%98%80', `limit=${'9'.repeat(400)}`],
    ...['offset=-1', 'offset=1.5', 'offset=', 'offset=Infinity', 'offset=null'],
    ...['status=', 'status=on', 'status=Active', 'status=active,paused', 'status=active&status=paused'],
  ])('rejects %s', async (query) => {
    const { status, body } = await list(query);
    const [field] = query.split('=') as [string];
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Validation failed', statusCode: 400, details: [{ path: field }] });
    const rule = {
      limit: 'a whole number from 1 to 1,000',
      offset: 'a whole number of at least 0',
      status: `one of ${STATUSES.join(', ')}`,
    };
    expect(body.message).toBe(`${field} must be ${rule[field as 'limit']}`);
  });

  it('is empty for another user and for an unused status', async () => {
    const nothing = await list('', 'small');
    expect([nothing.status, nothing.body, nothing.headers['x-total-count']]).toEqual([200, [], '0']);
  });

  it('includes neither deleted campaigns nor name items', async () => {
    const user = service.user('tidy');
    const { id } = (await user('POST', '/campaigns', { name: 'Gone' })).body;
    await user('POST', '/campaigns', { name: 'Here' });
    await user('DELETE', `/campaigns/${id}`);
    const answer = await list('', 'tidy');
    expect([names(answer), answer.headers['x-total-count']]).toEqual([['Here'], '1']);
  });
});
