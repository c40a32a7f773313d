import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { DAY_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { streamRecord } from '../../stream-record.ts';
import { createLegacyAd } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory();

const OPTED_OUT = { regs: { gpc: '1' } };

/** A served ad with its feedback URL, and the figures of its campaign and its key. */
async function served(word: string, { mode = 'live', request = {} } = {}) {
  const keyResponse = await service.user('carol')('POST', '/auth/api-keys', { name: word, mode });
  const { id: keyId, key } = keyResponse.body;
  const campaign = await service.campaign({ targetAudience: { keywords: [word] } });
  const { bidId } = (await service.bid(key, word, request)).body;
  const { feedbackUrl } = (await service.ad(key, bidId)).body;
  const path = new URL(feedbackUrl).pathname;
  const report = (method = 'POST', headers: Record<string, string> = {}, at = path) =>
    service.call(method, at, { headers });
  const read = () => untyped(service.stack.effects.db).get('bids', { id: bidId });
  const figures = async () => {
    await service.stack.drain();
    const { performance } = (await service.user()('GET', `/campaigns/${campaign.id}`)).body;
    const day = (await service.user()('GET', `/campaigns/${campaign.id}/report`)).body.at(-1);
    const keyDay = (await service.user('carol')('GET', `/auth/api-keys/${keyId}/report`)).body.at(-1);
    return [performance.notRelevant, day.notRelevant, keyDay.notRelevant];
  };
  return { key, keyId, campaign, bidId, feedbackUrl, path, report, read, figures };
}

describe('POST /feedback/{token}', () => {
  it('counts an ad as not relevant once, for its campaign and its key, however often and at once it is reported', async () => {
    const { report, figures } = await served('borageoom');
    const reports = await Promise.all(Array.from({ length: 10 }, () => report()));
    expect(reports.map(({ status }) => status)).toEqual(Array(10).fill(204));
    expect(reports[0]!.body).toBeUndefined();
    expect(await figures()).toEqual([1, 1, 1]);
    await report();
    expect(await figures()).toEqual([1, 1, 1]);
  });

  it('returns the same URL each time that the ad is retrieved', async () => {
    const { key, bidId, feedbackUrl } = await served('chervilom');
    expect((await service.ad(key, bidId)).body.feedbackUrl).toBe(feedbackUrl);
  });

  it('stores one attribute, also after an opt-out, and nothing about who reported or when', async () => {
    const { report, read, figures } = await served('lovageoom', { request: OPTED_OUT });
    const before = await read();
    expect(before).toMatchObject({ optOut: true });
    await report('POST', { 'user-agent': 'Planted/1.0', referer: 'https://planted.example/me', cookie: 'id=planted' });
    expect(await read()).toEqual({ ...before, notRelevant: true });
    expect(service.lines.filter((line) => /planted/i.test(line))).toEqual([]);
    expect(await figures()).toEqual([1, 1, 1]);
  });

  it('accepts a report of a test ad, and counts nothing', async () => {
    const { report, read, figures } = await served('tarragonoom', { mode: 'test' });
    expect((await report()).status).toBe(204);
    expect(await read()).toMatchObject({ notRelevant: true });
    expect(await figures()).toEqual([0, 0, 0]);
  });

  it('counts on the day of the impression, so that a day never has more reports than impressions', async () => {
    const { report, campaign, keyId, figures } = await served('savoryoom');
    service.clock.advance(DAY_MS);
    await report();
    expect(await figures()).toEqual([1, 0, 0]);
    const [day] = (await service.user()('GET', `/campaigns/${campaign.id}/report`)).body.slice(-2);
    const [keyDay] = (await service.user('carol')('GET', `/auth/api-keys/${keyId}/report`)).body.slice(-2);
    expect([day, keyDay]).toMatchObject(Array(2).fill({ impressions: 1, notRelevant: 1 }));
  });

  it.each([
    ['another signature', (path: string) => path.replace(/.{22}$/, 'A'.repeat(22))],
    ['the signature of another ad', (path: string) => path.replace(/[0-9a-f]{32}/, '0'.repeat(32))],
    ['no signature', (path: string) => path.slice(0, -22)],
    ['the ID of the bid', (_: string, bidId: string) => `/api/v1/feedback/${bidId}`],
    ['something else', () => '/api/v1/feedback/%00'],
  ])('answers 404 to %s', async (_, change) => {
    const { report, read, path, bidId } = await served('sorreloom');
    for (const method of ['POST', 'GET']) {
      const { status, body } = await report(method, {}, change(path, bidId));
      expect([status, body.message]).toEqual([404, 'Ad not found']);
    }
    expect(await read()).not.toHaveProperty('notRelevant');
  });

  it('answers 404 once the ad has expired', async () => {
    const { report } = await served('purslaneom');
    service.clock.advance(91 * DAY_MS);
    expect((await report()).status).toBe(404);
  });

  it('can be called from any page, without a preflight', async () => {
    const { report, path } = await served('dilloomm');
    const page = { origin: 'https://chat.example' };
    expect((await report('POST', page)).headers['access-control-allow-origin']).toBe('*');
    const forged = await report('POST', page, path.replace(/.$/, '!'));
    expect([forged.status, forged.headers['access-control-allow-origin']]).toEqual([404, '*']);
  });

  it('counts a legacy ad once its impression is reported', async () => {
    const { ad, figures, impression } = await createLegacyAd(service, 'burnetoom');
    const { pathname } = new URL(ad.tracking.feedbackUrl);
    expect((await service.call('POST', pathname)).status).toBe(404);
    await impression(ad.id);
    expect((await service.call('POST', pathname)).status).toBe(204);
    await service.stack.drain();
    expect((await figures()).performance).toMatchObject({ impressions: 1, notRelevant: 1 });
  });
});

describe('the page for clients without scripts', () => {
  it('shows a form and counts nothing until it is sent', async () => {
    const { report, read, figures } = await served('angelicaoom');
    const asked = await report('GET', { accept: 'text/html' });
    expect([asked.status, asked.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(asked.body).toMatch(/<form method="post"><button>Not relevant<\/button><\/form>/);
    expect(asked.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(await read()).not.toHaveProperty('notRelevant');
    const form = { accept: 'text/html,*/*;q=0.8', 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await report('POST', form);
    expect([sent.status, sent.body]).toEqual([200, expect.stringContaining('Thanks')]);
    expect(await figures()).toEqual([1, 1, 1]);
  });
});

describe('the counts', () => {
  it('include a repeated or parked record once', async () => {
    const { report, read, campaign, keyId } = await served('hyssopoom');
    const before = await read();
    await report();
    const record = streamRecord(before, await read());
    const handler = await loadWorker('events/count', service.stack.effects);
    // Without a shard, as for parked records.
    for (const Records of [[record, record], [record]])
      expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    const { performance } = (await service.user()('GET', `/campaigns/${campaign.id}`)).body;
    const keyDay = (await service.user('carol')('GET', `/auth/api-keys/${keyId}/report`)).body.at(-1);
    expect([performance.notRelevant, keyDay.notRelevant]).toEqual([1, 1]);
  });

  it('are columns of the reports as CSV', async () => {
    const { report, figures, campaign, keyId } = await served('rocketoom');
    await report();
    await figures();
    for (const [user, path] of [
      ['alice', `/campaigns/${campaign.id}/report`],
      ['carol', `/auth/api-keys/${keyId}/report`],
    ]) {
      const headers = { 'x-user-id': user!, accept: 'text/csv' };
      const text: string = (await service.call('GET', `/api/v1${path}`, { headers })).body;
      const [header, ...days] = text.trim().split('\r\n');
      const column = header!.split(',').indexOf('notRelevant');
      expect(days.at(-1)!.split(',')[column]).toBe('1');
    }
  });
});
