import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { DAY_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { streamRecord } from '../../stream-record.ts';

// @module-tag whole
const service = useServiceInMemory();

const OPTED_OUT = { regs: { gpc: '1' } };

/** A served ad with the URLs of its reader, and the figures of its campaign and its key. */
async function served(word: string, { mode = 'live', request = {} } = {}) {
  const { id: keyId, key } = (await service.user('carol')('POST', '/auth/api-keys', { name: word, mode })).body;
  const campaign = await service.campaign({ targetAudience: { keywords: [word] } });
  const { bidId } = (await service.bid(key, word, request)).body;
  const ad = (await service.ad(key, bidId)).body;
  const [path, feedbackPath] = [ad.viewableUrl, ad.feedbackUrl].map((url) => new URL(url).pathname) as [string, string];
  const report = (headers: Record<string, string> = {}, at = path) => service.call('POST', at, { headers });
  const read = () => untyped(service.stack.effects.db).get('bids', { id: bidId });
  const readFigures = async () => {
    const { performance } = (await service.user()('GET', `/campaigns/${campaign.id}`)).body;
    const day = (await service.user()('GET', `/campaigns/${campaign.id}/report`)).body.at(-1);
    const keyDay = (await service.user('carol')('GET', `/auth/api-keys/${keyId}/report`)).body.at(-1);
    return [performance, day, keyDay];
  };
  const countViewable = async () => {
    await service.stack.drain();
    return (await readFigures()).map(({ viewableImpressions }) => viewableImpressions);
  };
  return { key, keyId, campaign, bidId, ad, path, feedbackPath, report, read, readFigures, countViewable };
}

describe('POST /viewable/{token}', () => {
  it('counts an ad as viewable once, for its campaign and its key, however often and at once it is reported', async () => {
    const { report, countViewable } = await served('borageum');
    const reports = await Promise.all(Array.from({ length: 10 }, () => report()));
    expect(reports.map(({ status, body }) => [status, body])).toEqual(Array(10).fill([204, undefined]));
    expect(await countViewable()).toEqual([1, 1, 1]);
    expect((await report()).status).toBe(204);
    expect(await countViewable()).toEqual([1, 1, 1]);
  });

  it('charges nothing and changes no other figure', async () => {
    const { report, readFigures, countViewable } = await served('chervilum');
    await service.stack.drain();
    const before = await readFigures();
    await report();
    await countViewable();
    expect(await readFigures()).toEqual(before.map((figures) => ({ ...figures, viewableImpressions: 1 })));
  });

  it('stores one attribute, also after an opt-out, and nothing about who saw the ad or when', async () => {
    const { report, read, countViewable } = await served('lovageum', { request: OPTED_OUT });
    const before = await read();
    expect(before).toMatchObject({ optOut: true });
    await report({ 'user-agent': 'Planted/1.0', referer: 'https://planted.example/me', cookie: 'id=planted' });
    expect(await read()).toEqual({ ...before, viewable: true });
    expect(service.lines.filter((line) => /planted/i.test(line))).toEqual([]);
    expect(await countViewable()).toEqual([1, 1, 1]);
  });

  it('accepts a report of a test ad, and counts nothing', async () => {
    const { report, read, countViewable } = await served('tarragonum', { mode: 'test' });
    expect((await report()).status).toBe(204);
    expect(await read()).toMatchObject({ viewable: true });
    expect(await countViewable()).toEqual([0, 0, 0]);
  });

  it('counts on the day of the impression, so that a day never has more viewable impressions than impressions', async () => {
    const { report, campaign, keyId, countViewable } = await served('savoryum');
    service.clock.advance(DAY_MS);
    await report();
    expect(await countViewable()).toEqual([1, 0, 0]);
    const [day] = (await service.user()('GET', `/campaigns/${campaign.id}/report`)).body.slice(-2);
    const [keyDay] = (await service.user('carol')('GET', `/auth/api-keys/${keyId}/report`)).body.slice(-2);
    expect([day, keyDay]).toMatchObject(Array(2).fill({ impressions: 1, viewableImpressions: 1 }));
  });

  it.each([
    ['another signature', (path: string) => path.replace(/.{22}$/, 'A'.repeat(22))],
    ['the signature of another ad', (path: string) => path.replace(/[0-9a-f]{32}/, '0'.repeat(32))],
    ['no signature', (path: string) => path.slice(0, -22)],
    ['the ID of the bid', (_: string, bidId: string) => `/api/v1/viewable/${bidId}`],
    ['something else', () => '/api/v1/viewable/%00'],
  ])('answers 404 to %s', async (_, change) => {
    const { report, read, path, bidId } = await served('sorrelum');
    const { status, body } = await report({}, change(path, bidId));
    expect([status, body.message]).toEqual([404, 'Ad not found']);
    expect(await read()).not.toHaveProperty('viewable');
  });

  it('takes no token for feedback, and feedback takes none of its tokens', async () => {
    const { report, read, path, feedbackPath } = await served('cicelyum');
    for (const swapped of [feedbackPath.replace('feedback', 'viewable'), path.replace('viewable', 'feedback')])
      expect((await report({}, swapped)).status).toBe(404);
    const bid = await read();
    expect(bid).not.toHaveProperty('viewable');
    expect(bid).not.toHaveProperty('notRelevant');
  });

  it('answers 404 once the ad has expired', async () => {
    const { report } = await served('purslaneum');
    service.clock.advance(91 * DAY_MS);
    expect((await report()).status).toBe(404);
  });

  it('can be called from any page, without a preflight', async () => {
    const { report, path } = await served('dillum');
    const page = { origin: 'https://chat.example' };
    expect((await report(page)).headers['access-control-allow-origin']).toBe('*');
    const forged = await report(page, path.replace(/.$/, '!'));
    expect([forged.status, forged.headers['access-control-allow-origin']]).toEqual([404, '*']);
  });
});

describe('the counts', () => {
  it('include a repeated or parked record once, next to a report that the ad is not relevant', async () => {
    const { report, read, readFigures, feedbackPath } = await served('hyssopum');
    const before = await read();
    await report();
    const between = await read();
    await report({}, feedbackPath);
    const records = [streamRecord(before, between), streamRecord(between, await read())];
    const handler = await loadWorker('events/count', service.stack.effects);
    // Without a shard, as for parked records.
    for (const Records of [[...records, ...records], records.toReversed()])
      expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    const [performance, , keyDay] = await readFigures();
    for (const figures of [performance, keyDay])
      expect(figures).toMatchObject({ viewableImpressions: 1, notRelevant: 1 });
  });

  it('are columns of the reports as CSV', async () => {
    const { report, countViewable, campaign, keyId } = await served('rocketum');
    await report();
    await countViewable();
    for (const [user, path] of [
      ['alice', `/campaigns/${campaign.id}/report`],
      ['carol', `/auth/api-keys/${keyId}/report`],
      ['alice', '/reports/campaigns'],
    ]) {
      const headers = { 'x-user-id': user!, accept: 'text/csv' };
      const text: string = (await service.call('GET', `/api/v1${path}`, { headers })).body;
      const [header, ...rows] = text.trim().split('\r\n');
      const last = ['viewableImpressions', 'suspectClicks.tooFast', 'suspectClicks.tooMany'];
      expect(header!.split(',').slice(-3)).toEqual(last);
      expect(rows.at(-1)!.split(',').slice(-3)).toEqual(['1', '0', '0']);
    }
  });
});
