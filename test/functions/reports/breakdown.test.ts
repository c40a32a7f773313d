import { beforeEach, describe, expect, it } from 'vitest';
import { creativeKey } from '../../../shared/campaigns/items.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory({ PUBLISHER_SHARE: '0.7', CAMPAIGN_REFRESH_SECONDS: '0' });
beforeEach(() => service.clock.advance(60_000));

interface Row {
  date: string;
  by: string;
  value: string;
  label: string;
  impressions: number;
  clicks: number;
  conversions: number;
  spend: number;
  conversionValue: number;
  bids: number;
  earnings: number;
}

let count = 0;
/** A campaign with a word of its own. */
async function market(more: object = {}, owner = 'alice') {
  const word = `lute${'abcdefghijklmnopqrstuvwxyz'[count++ % 26]}${count}`;
  const targetAudience = { keywords: [word] };
  const { id } = await service.campaign(
    { name: word, targetAudience, bidStrategy: 'manual', maxCpb: 4.567, ...more },
    owner,
  );
  return { word, id, owner };
}
type Market = Awaited<ReturnType<typeof market>>;

const createKey = async (settings: object = {}): Promise<{ id: string; key: string }> =>
  (await service.user('publisher')('POST', '/auth/api-keys', { name: 'Private name', ...settings })).body;

/** Shows an ad once, with a click and a conversion if wanted. */
async function show(
  { word, owner }: Market,
  key: string,
  { click = false, conversion = 0, ...bid }: { click?: boolean; conversion?: number; [field: string]: unknown } = {},
) {
  service.clock.advance(200);
  const body = { countryCode: 'US', messages: [{ role: 'user', content: `Where do I buy a ${word}?` }], ...bid };
  const headers = { 'x-api-key': key };
  const { bidId } = (await service.call('POST', '/api/v1/ssp/bid', { headers, body })).body;
  expect((await service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers })).status).toBe(200);
  if (!click) return;
  const { headers: redirect } = await service.call('GET', `/api/v1/click/${bidId}`, {
    headers: { 'user-agent': 'curl/8' },
  });
  if (!conversion) return;
  const clickId = new URL(redirect.location!).searchParams.get('click_id');
  const sent = await service.user(owner)('POST', '/conversions', {
    clickId,
    conversionType: 'purchase',
    value: conversion,
  });
  expect(sent.status).toBe(201);
}

const readCampaign = (id: string, query: string, headers: Record<string, string> = {}, user = 'alice') =>
  service.call('GET', `/api/v1/campaigns/${id}/report`, { query, headers: { 'x-user-id': user, ...headers } });
const readKey = (id: string, query: string, headers: Record<string, string> = {}) =>
  service.call('GET', `/api/v1/auth/api-keys/${id}/report`, {
    query,
    headers: { 'x-user-id': 'publisher', ...headers },
  });

const rowsOf = async ({ id, owner }: Market, by: string): Promise<Row[]> => {
  const { status, body } = await readCampaign(id, `by=${by}`, {}, owner);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

type Count = 'impressions' | 'clicks' | 'conversions' | 'spend' | 'conversionValue' | 'bids' | 'earnings';
const sum = (rows: Row[], name: Count) => Math.round(rows.reduce((total, row) => total + row[name], 0) * 1e6) / 1e6;

/** Expects that the rows of each breakdown add up to the report without one, day by day. */
async function expectSums(
  read: (query: string) => ReturnType<typeof readCampaign>,
  dimensions: string[],
  names: Count[],
) {
  const days: Row[] = (await read('')).body;
  for (const by of dimensions) {
    const rows: Row[] = (await read(`by=${by}`)).body;
    for (const day of days) {
      const ofDay = rows.filter(({ date }) => date === day.date);
      expect(
        names.map((name) => [name, sum(ofDay, name)]),
        `${by} ${day.date}`,
      ).toEqual(names.map((name) => [name, day[name]]));
    }
  }
}
const CAMPAIGN = ['country', 'publisher', 'topic', 'creative', 'variant'];
const CAMPAIGN_COUNTS: Count[] = ['impressions', 'clicks', 'conversions', 'spend', 'conversionValue'];

describe("A campaign's report by a dimension", () => {
  it('has a row for each day and value, and adds up to the report', async () => {
    const shown = await market();
    const { key } = await createKey();
    await show(shown, key, { click: true, conversion: 12.5, variant: 'A' });
    await show(shown, key, { countryCode: 'DE', variant: 'B' });
    await show(shown, key, { countryCode: 'XK' });
    service.clock.advance(24 * 60 * 60 * 1000);
    await show(shown, key, { click: true, variant: 'A', regs: { gpc: 1 } });
    await service.stack.drain();
    const rows = await rowsOf(shown, 'country');
    const none = { conversions: 0, conversionValue: 0 };
    const [first, second] = [rows[0]!.date, rows.at(-1)!.date];
    expect(rows).toEqual([
      {
        date: first,
        by: 'country',
        value: 'US',
        label: 'United States',
        impressions: 1,
        clicks: 1,
        conversions: 1,
        spend: 0.004567,
        conversionValue: 12.5,
      },
      {
        date: first,
        by: 'country',
        value: 'DE',
        label: 'Germany',
        impressions: 1,
        clicks: 0,
        spend: 0.004567,
        ...none,
      },
      { date: first, by: 'country', value: 'XK', label: 'Kosovo', impressions: 1, clicks: 0, spend: 0.004567, ...none },
      {
        date: second,
        by: 'country',
        value: 'US',
        label: 'United States',
        impressions: 1,
        clicks: 1,
        spend: 0.004567,
        ...none,
      },
    ]);
    const variants = await rowsOf(shown, 'variant');
    expect(variants.map(({ date, value, label }) => [date, value, label])).toEqual([
      [first, 'none', 'None'],
      [first, 'A', 'A'],
      [first, 'B', 'B'],
      [second, 'none', 'None'], // the user has opted out
    ]);
    await expectSums((query) => readCampaign(shown.id, query), CAMPAIGN, CAMPAIGN_COUNTS);
  });

  it('shows as unattributed what is not broken down yet', async () => {
    const shown = await market();
    await show(shown, (await createKey()).key);
    expect(await rowsOf(shown, 'country')).toMatchObject([
      { value: 'unattributed', label: 'Unattributed', impressions: 1, spend: 0.004567 },
    ]);
    await service.stack.drain();
    expect(await rowsOf(shown, 'country')).toMatchObject([{ value: 'US', impressions: 1, spend: 0.004567 }]);
  });

  it('names topics, and creatives by their headlines', async () => {
    const shown = await market({ targetAudience: { keywords: ['running shoes'] } });
    const { key } = await createKey();
    await show({ ...shown, word: 'pair of running shoes' }, key);
    await service.user()('PATCH', `/campaigns/${shown.id}`, { creative: { headline: 'New headline, now' } });
    await show({ ...shown, word: 'pair of running shoes' }, key);
    await show({ ...shown, word: 'pair of running shoes' }, key);
    await service.stack.drain();
    const [topic] = await rowsOf(shown, 'topic');
    expect(topic).toMatchObject({ label: 'Running and Jogging', impressions: 3 });
    const creatives = await rowsOf(shown, 'creative');
    expect(creatives.map(({ label, impressions }) => [label, impressions])).toEqual([
      ['New headline, now', 2],
      [expect.not.stringContaining('New'), 1],
    ]);
    expect(creatives[1]!.label).not.toBe(creatives[1]!.value);
    await service.user()('PATCH', `/campaigns/${shown.id}`, { status: 'paused' });
  });

  it('tells creatives with the same headline apart by what else differs, and those whose texts are gone by their codes', async () => {
    const shown = await market({ targetAudience: { keywords: ['running shoes'] } });
    const { key } = await createKey();
    const patch = (creative: object) => service.user()('PATCH', `/campaigns/${shown.id}`, { creative });
    const word = 'pair of running shoes';
    await patch({ headline: 'Run far', callToAction: 'Go' });
    await show({ ...shown, word }, key);
    await patch({ headline: 'Run far', callToAction: 'Try them' });
    await show({ ...shown, word }, key);
    await service.stack.drain();
    const labels = async () => (await rowsOf(shown, 'creative')).map(({ label }) => label).sort();
    expect(await labels()).toEqual(['Run far · Go', 'Run far · Try them']);
    const [first] = (await rowsOf(shown, 'creative')).filter(({ label }) => label === 'Run far · Go');
    const expired = {
      table: 'campaigns',
      key: creativeKey(shown.owner, shown.id, first!.value),
      remove: true,
    } as const;
    await service.stack.effects.db.write(expired);
    expect(await labels()).toEqual([`Earlier version ${first!.value.slice(0, 6)}`, 'Run far']);
    await service.user()('PATCH', `/campaigns/${shown.id}`, { status: 'paused' });
  });

  it('names the 50 values with the most impressions, and sums the others', async () => {
    const shown = await market();
    const { key, id } = await createKey();
    for (let number = 0; number < 53; number++)
      await show(shown, key, { variant: `variant ${String(number).padStart(2, '0')}` });
    await show(shown, key, { variant: 'variant 52' });
    await service.stack.drain();
    const rows = await rowsOf(shown, 'variant');
    expect([rows.length, rows[0]!.value, rows[0]!.impressions]).toEqual([51, 'variant 52', 2]);
    expect(rows.at(-1)).toMatchObject({ value: 'other', label: 'Other', impressions: 3 });
    await expectSums((query) => readCampaign(shown.id, query), CAMPAIGN, CAMPAIGN_COUNTS);
    await expectSums(
      (query) => readKey(id, query),
      ['country', 'domain', 'variant'],
      ['bids', 'impressions', 'clicks', 'earnings'],
    );
  });

  it('is CSV on request, with labels in quotes if necessary', async () => {
    const shown = await market();
    const { key } = await createKey({ publicName: 'Chat, the "best"' });
    await show(shown, key, { variant: '=1+1' });
    await service.stack.drain();
    const read = async (by: string) => {
      const { headers, body } = await readCampaign(shown.id, `by=${by}`, { accept: 'text/csv' });
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      return body.split('\r\n');
    };
    const columns = 'date,by,value,label,impressions,clicks,conversions,spend,conversionValue';
    expect(await read('publisher')).toEqual([
      columns,
      expect.stringMatching(/^\d{4}-\d\d-\d\d,publisher,pub_\w{12},"Chat, the ""best""",1,0,0,0.004567,0$/),
      '',
    ]);
    expect((await read('variant'))[1]).toMatch(/,variant,'=1\+1,'=1\+1,1,/);
  });

  it.each([
    ['by=domain', 'by', 'by must be one of country, publisher, topic, creative, variant'],
    ['by=country&from=2026-01-01&to=2026-04-04', 'to', 'a report by value covers at most 93 days'],
  ])('rejects %s', async (query, path, message) => {
    const { id } = await market();
    expect(await readCampaign(id, query)).toMatchObject({ status: 400, body: { details: [{ path, message }] } });
  });

  it("is 404 for another user's campaign", async () => {
    const { id } = await market();
    expect((await readCampaign(id, 'by=publisher', {}, 'bob')).status).toBe(404);
  });
});

describe('The publishers of a campaign', () => {
  it('are shown by their public names or a pseudonym, never by the name or ID of the key', async () => {
    const shown = await market();
    const [named, unnamed] = [await createKey({ publicName: 'Chatty' }), await createKey()];
    await show(shown, named.key);
    await show(shown, named.key);
    await show(shown, unnamed.key);
    await service.stack.drain();
    const rows = await rowsOf(shown, 'publisher');
    expect(rows.map(({ label, impressions }) => [label, impressions])).toEqual([
      ['Chatty', 2],
      [expect.stringMatching(/^Publisher [0-9A-Z]{4}-[0-9A-Z]{2}$/), 1],
    ]);
    for (const hidden of [named.id, unnamed.id, 'key_', 'Private name'])
      expect(JSON.stringify(rows)).not.toContain(hidden);
  });

  it('have the end of their values in their labels if they share a public name', async () => {
    const shown = await market();
    for (const publicName of ['Chatty', 'Chatty', 'Talky']) await show(shown, (await createKey({ publicName })).key);
    await service.stack.drain();
    const rows = await rowsOf(shown, 'publisher');
    const labels = rows.map(({ label }) => label);
    expect(new Set(labels).size).toBe(3);
    expect(labels.toSorted()).toEqual([
      ...rows.flatMap(({ value, label }) => (label === 'Talky' ? [] : [`Chatty · ${value.slice(-4)}`])).toSorted(),
      'Talky',
    ]);
  });

  it('keep their value when their name changes or their key is deleted, so that they stay excluded', async () => {
    const shown = await market();
    const publisher = await createKey();
    await show(shown, publisher.key);
    await service.stack.drain();
    const [{ value, label } = { value: '', label: '' }] = await rowsOf(shown, 'publisher');
    await service.user()('PATCH', `/campaigns/${shown.id}`, { excludedPublishers: [value] });
    for (const publicName of ['First', 'Second', null]) {
      await service.user('publisher')('PATCH', `/auth/api-keys/${publisher.id}`, { publicName });
      expect(await rowsOf(shown, 'publisher')).toMatchObject([{ value, label: publicName ?? label }]);
      service.clock.advance(60_000);
      const body = { countryCode: 'US', messages: [{ role: 'user', content: `Where do I buy a ${shown.word}?` }] };
      expect(
        (await service.call('POST', '/api/v1/ssp/bid', { headers: { 'x-api-key': publisher.key }, body })).body,
      ).toBeNull();
    }
    await service.user('publisher')('PATCH', `/auth/api-keys/${publisher.id}`, { publicName: 'Third' });
    await service.user('publisher')('DELETE', `/auth/api-keys/${publisher.id}`);
    expect(await rowsOf(shown, 'publisher')).toMatchObject([{ value, label }]);
  });

  it('have another value and pseudonym for another advertiser', async () => {
    const [of, ofBob] = [await market(), await market({}, 'bob')];
    const { key } = await createKey();
    await show(of, key);
    await show(ofBob, key);
    await service.stack.drain();
    const [[one], [other]] = [await rowsOf(of, 'publisher'), await rowsOf(ofBob, 'publisher')];
    expect(one!.value).not.toBe(other!.value);
    expect(one!.label).not.toBe(other!.label);
  });

  it('are not in the order of their keys if they have the same counts, which would match them between advertisers', async () => {
    const shown = await market();
    for (let keys = 0; keys < 5; keys++) await show(shown, (await createKey()).key);
    await service.stack.drain();
    const values = (await rowsOf(shown, 'publisher')).map(({ value }) => value);
    expect(values).toHaveLength(5);
    expect(values).toEqual(values.toSorted());
  });
});

describe("A key's report by a dimension", () => {
  it('has bids, impressions, clicks, and earnings, which add up to the report although each is rounded', async () => {
    const [one, other] = [
      await market(),
      await market({ creative: { headline: 'Lutes', landingUrl: 'https://www.lutes.example/' } }),
    ];
    const { id, key } = await createKey();
    await show(one, key, { countryCode: 'DE', click: true, variant: 'A' });
    await show(one, key);
    await show(other, key, { countryCode: 'FR' });
    await service.stack.drain();
    const domains: Row[] = (await readKey(id, 'by=domain')).body;
    expect(
      domains.map(({ value, label, bids, impressions, clicks }) => [value, label, bids, impressions, clicks]),
    ).toEqual([
      [expect.any(String), expect.any(String), 2, 2, 1],
      ['lutes.example', 'lutes.example', 1, 1, 0],
    ]);
    expect(sum(domains, 'earnings')).toBe(0.00959); // 0.7 of three charges of 0.004567, rounded down once
    const countries: Row[] = (await readKey(id, 'by=country')).body;
    expect(countries.map(({ label }) => label)).toEqual(['Germany', 'France', 'United States']); // DE, FR, US
    await expectSums(
      (query) => readKey(id, query),
      ['country', 'domain', 'variant'],
      ['bids', 'impressions', 'clicks', 'earnings'],
    );
    const csv = (await readKey(id, 'by=country', { accept: 'text/csv' })).body;
    expect(csv.split('\r\n')[0]).toBe('date,by,value,label,bids,impressions,clicks,earnings');
  });

  it('rejects dimensions of campaigns', async () => {
    const { id } = await createKey();
    const message = 'by must be one of country, domain, variant';
    expect(await readKey(id, 'by=publisher')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'by', message }] },
    });
  });
});
