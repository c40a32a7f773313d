import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { BID_STRATEGIES } from '../../shared/campaigns/campaign.ts';
import { presentServing } from '../../shared/campaigns/campaign-response.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { createSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { parseAmount } from '../../web/amount.ts';
import { check } from '../../web/campaigns/check.ts';
import { campaignChanges, EMPTY, toCampaignBody, toCopy, toFormValues } from '../../web/campaigns/form-values.ts';
import { checkLaunch } from '../../web/campaigns/launch.ts';
import { getChanges } from '../../web/changes.ts';
import { switchKey } from '../../web/publisher/switch.ts';
import { storedCampaign } from '../sample-records.ts';
import { runningShoes, useService } from '../service.ts';

const service = useService();

test.each([
  ['2', 2],
  [' 0.50 ', 0.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1234.5', 1234.5],
  ['1,234.50', 1234.5],
  ['1,000,000', 1_000_000],
  ['$50', 50],
  ['$ 1,000', 1_000],
])('parses the amount "%s"', (text, usd) => {
  expect(parseAmount(text)).toEqual({ kind: 'usd', usd });
});

test.each([
  '2,5',
  '0,50',
  '0,500',
  '1,00',
  '1,0000',
  '1234,567',
  '12,',
  '1,000,5',
  '1.5,000',
  '1.000,00',
  'abc',
  '1e3',
  '0x10',
  '5$',
  '$',
  '.',
  'Infinity',
])('rejects "%s" instead of guessing an amount', (text) => {
  expect(parseAmount(text)).toEqual({ kind: 'fault', says: expect.stringContaining('such as 1,234.50') });
});

test.each(['-5', '-$5', '$-5', '−0.5'])('says of "%s" that an amount is positive', (text) => {
  expect(parseAmount(text)).toEqual({ kind: 'fault', says: 'The amount must be more than 0.' });
});

test('parses an empty field as no amount', () => {
  expect([parseAmount(''), parseAmount('  ')]).toEqual([{ kind: 'none' }, { kind: 'none' }]);
});

test('marks each malformed amount', () => {
  const amounts = { budget: '0,50', dailyBudget: 'abc', maxCpb: '2,5', targetCpa: '1.000,00' };
  const said = expect.stringContaining('such as 1,234.50');
  expect(check({ ...EMPTY, name: 'Kayaks', ...amounts })).toMatchObject({
    ...{ budget: said, dailyBudget: said, maxCpb: said, targetCpa: said },
  });
  expect(check({ ...EMPTY, name: 'Kayaks', budget: '1,000' })).toEqual({});
});

test("keeps another page's changes of an edited campaign", async () => {
  const loaded = await service.campaign({
    budget: 100,
    creative: { ...runningShoes().creative, sponsoredBy: 'Fleet' },
  });
  const path = `/campaigns/${loaded.id}`;
  await service.user()('PATCH', path, { budget: 500, creative: { sponsoredBy: 'Fleet Feet' } });
  const values = toFormValues(loaded);
  const edit = (change: Partial<typeof values>) =>
    campaignChanges(loaded, toCampaignBody({ ...values, ...change }, loaded), service.clock.now());
  expect(edit({})).toEqual({});
  const changes = edit({ maxCpb: '2.5', creative: { ...values.creative, headline: 'Run on' } });
  expect((await service.user()('PATCH', path, changes)).body).toMatchObject({
    ...{ budget: 500, dailyBudget: 500, maxCpb: 2.5 },
    creative: { headline: 'Run on', sponsoredBy: 'Fleet Feet' },
  });
  // An unchanged daily budget is not sent: it may follow the budget, or have been typed as the same amount.
  expect(edit({ budget: '200' })).toEqual({ budget: 200, expectedBudget: 100 });
  expect(edit({ dailyBudget: '' })).toEqual({ dailyBudget: null });
});

const amount = fc.constantFrom('', '5', '5', '10', '10', '10', '0', '0.000001', 'x');
const list = (entry: string) => fc.subarray([entry]);
const day = fc.constantFrom('', '', '2026-11-01', '2026-11-20', '2026-11-25');
const formValues: fc.Arbitrary<typeof EMPTY> = fc.record({
  name: fc.constantFrom('', 'Kayaks', 'Kayaks', 'Kayaks'),
  description: fc.constant(''),
  budget: amount,
  dailyBudget: amount,
  maxCpb: amount,
  targetCpa: amount,
  bidStrategy: fc.constantFrom(...BID_STRATEGIES),
  startDate: day,
  endDate: day,
  frequencyCap: fc.record({
    per: fc.constantFrom('none', 'conversation', 'day'),
    impressions: fc.constantFrom('', '0', '2', '2', '2'),
  }),
  conversionWindowDays: fc.constantFrom('', '0', '30', '30', '30', '91'),
  ageRange: fc.constantFrom('', '18-35'),
  keywords: list('kayaks'),
  excludedKeywords: list('cheap'),
  interests: list('Travel'),
  categories: list('Travel'),
  countries: list('US'),
  languages: list('en'),
  excludedPublishers: list('pub_7F3KQ2M9XW4A'),
  creative: fc
    .record({
      headline: fc.constantFrom('', ' ', '\u200b', 'Kayaks', 'Kayaks', 'Kayaks'),
      landingUrl: fc.constantFrom('', ' ', 'kayaks.example', ...Array<string>(4).fill('https://kayaks.example/')),
    })
    .map((texts) => ({ ...EMPTY.creative, ...texts })),
});

test('lets nothing launch that `serving` would block, except for its start date and the review', () => {
  const now = Date.parse('2026-11-20T09:00:00Z');
  let launched = 0;
  fc.assert(
    fc.property(formValues, (values) => {
      const faults = checkLaunch(values, undefined, now);
      const parsed = createCampaign.safeParse({ ...toCampaignBody(values), status: 'active' });
      if (!parsed.success) {
        expect(faults).not.toEqual({});
        return;
      }
      const campaign = storedCampaign(merge(parsed.data));
      const { reasons } = presentServing(campaign, createSpendStats(campaign.id), now);
      const fields = reasons
        .filter(({ blocking, code }) => blocking && code !== 'not_started')
        .map(({ field }) => field);
      // Every reason is next to its field, in one pass.
      expect(Object.keys(faults)).toEqual(expect.arrayContaining(fields));
      if (Object.keys(faults).length === 0) launched++;
    }),
    { numRuns: 2_000 },
  );
  expect(launched).toBeGreaterThan(10);
});

test('compares nested objects field by field, and lists as a whole', () => {
  const loaded = { name: 'a', list: ['x', 'y'], group: { one: 1, two: 2 } };
  expect(getChanges(loaded, { ...loaded })).toEqual({});
  expect(getChanges(loaded, { name: 'b', list: ['x'], group: { one: 1, two: 3 } })).toEqual({
    name: 'b',
    list: ['x'],
    group: { two: 3 },
  });
});

it('copies a campaign with a name that the service accepts, however its long name is cut', async () => {
  const sample = await service.campaign();
  for (const name of ['😀'.repeat(100), `x${'😀'.repeat(99)}`]) {
    const copy = toCopy({ ...sample, name }, 0);
    expect(check(copy).name).toBeUndefined();
  }
});

describe('Switching off a key', () => {
  /** A fake service that toggles a key. `between` runs before the first toggle. */
  const getKey = (isActive: boolean, between = (_key: { isActive: boolean }) => {}) => {
    const key = { id: 'key_1', isActive };
    let flips = 0;
    const ads = createClient({
      baseUrl: 'https://ads.test',
      userId: 'alice',
      async fetch(_url, init) {
        if (init?.method === 'GET') return Response.json(key);
        if (flips++ === 0) between(key);
        key.isActive = !key.isActive;
        return Response.json(key);
      },
    });
    return { key, ads, flips: () => flips };
  };

  it('leaves a key off if another page, or a request with a lost response, has switched it off', async () => {
    const { key, ads, flips } = getKey(false);
    await switchKey(ads, key.id, false);
    expect([key.isActive, flips()]).toEqual([false, 0]);
  });

  it('leaves the key off if another page switches it off at the same moment', async () => {
    const { key, ads } = getKey(true, (one) => {
      one.isActive = false;
    });
    await switchKey(ads, key.id, false);
    expect(key.isActive).toBe(false);
  });

  it('toggles an active key once', async () => {
    const { key, ads, flips } = getKey(true);
    await switchKey(ads, key.id, false);
    expect([key.isActive, flips()]).toEqual([false, 1]);
  });
});
