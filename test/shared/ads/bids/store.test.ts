import { describe, expect, it } from 'vitest';
import { hasCreative, isOptedOut, type Served, toOptedOutId } from '../../../../shared/ads/bids/bid.ts';
import { countAttempts, getInvalidity } from '../../../../shared/ads/bids/click-validity.ts';
import { countNotice, createBidStore, markCounted, type NewBid, serveBid } from '../../../../shared/ads/bids/store.ts';
import type { Creative } from '../../../../shared/campaigns/creative.ts';
import type { ShownCreative } from '../../../../shared/campaigns/creative-versions.ts';
import { DAY_MS } from '../../../../shared/platform/clock.ts';
import { micros } from '../../../../shared/platform/values/money.ts';
import { createBudgetService } from '../../../memory/service.ts';

const won: NewBid = {
  keyId: 'key',
  keyOwner: 'publisher',
  mode: 'live',
  campaignId: 'cmp_1',
  campaignOwner: 'alice',
  price: micros(4_000),
  relevance: 0.8,
  countryCode: 'US',
  terms: {},
};
const creative = { headline: 'Run', landingUrl: 'https://x.example' } as Creative;
const version: ShownCreative = { creative, creativeVersion: 'v1' };
const legacy = { conversation: '', userQuery: '' } as Parameters<ReturnType<typeof createBidStore>['issueLegacy']>[2];
const exchange = { secret: 's', billing: 'burl' } as unknown as Parameters<
  ReturnType<typeof createBidStore>['issueForExchange']
>[2];
const terms = { hash: 'h', turn: 1 };

let seeds = 0;
function world() {
  const service = createBudgetService(`bids ${++seeds}`);
  const { effects, db, clock } = service;
  // A whole second, so that TTLs in seconds are exact.
  clock.set(Date.UTC(2026, 10, 20, 12));
  const record = (id: string) => db.get('bids', { id });
  const servedOf = (bid: { id: string }, more: Partial<Served> = {}): Served =>
    ({
      ...won,
      ...bid,
      state: 'served',
      servedAt: clock.now(),
      charged: micros(4),
      day: '2026-11-20',
      ...more,
    }) as Served;
  return { effects, db, clock, bids: createBidStore(effects), record, servedOf, now: clock.now() };
}

describe('A bid', () => {
  it('is valid for the configured time, and kept no longer unless it is served', async () => {
    const { bids, now, effects } = world();
    const bid = await bids.issue(won);
    expect(bid).toMatchObject({ ...won, state: 'issued', issuedAt: now, validUntil: now + effects.config.bidTtlMs });
    expect(bid.ttl).toBe(Math.ceil((now + effects.config.bidTtlMs) / 1000));
    expect([isOptedOut(bid.id), hasCreative(bid)]).toEqual([false, false]);
  });

  it('marks an opt-out in its id', async () => {
    const { bids } = world();
    expect(isOptedOut((await bids.issue({ ...won, optOut: true })).id)).toBe(true);
    expect(toOptedOutId('01234567-89ab-4def-8123-456789abcdef')).toBe('01234567-89ab-8def-8123-456789abcdef');
  });

  it('does not overwrite a record with the same id', async () => {
    const { effects, record, db, servedOf } = world();
    const once = createBidStore({
      ...effects,
      ids: { ...effects.ids, uuid: () => '01234567-89ab-4def-8123-456789abcdef' },
    });
    const bid = await once.issue(won);
    await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })));
    await once.issue(won);
    expect(await record(bid.id)).toMatchObject({ state: 'served' });
  });

  it.each<
    [
      string,
      boolean,
      (bids: ReturnType<typeof createBidStore>) => Promise<{ validUntil: number; ttl: number }>,
      number,
      number,
    ]
  >([
    [
      'of the legacy API is valid for a day, kept for 90',
      true,
      (bids) => bids.issueLegacy(won, version, legacy),
      1,
      90,
    ],
    [
      'of the legacy API in a conversation is kept for a day',
      true,
      (bids) => bids.issueLegacy({ ...won, conversation: terms }, version, legacy),
      1,
      1,
    ],
    [
      'of Trusted Match is valid for a day, kept for 90',
      true,
      (bids) => bids.issueForExchange(won, version, { ...exchange, byClick: true }),
      1,
      90,
    ],
  ])('%s', async (_, isShown, issue, validDays, keptDays) => {
    const { bids, now } = world();
    const bid = await issue(bids);
    expect([bid.validUntil, bid.ttl]).toEqual([now + validDays * DAY_MS, (now + keptDays * DAY_MS) / 1000]);
    expect(hasCreative(bid as Served)).toBe(isShown);
  });

  it('of an exchange has the usual validity, is kept for 90 days, and stores its creative version or creative', async () => {
    const { bids, now, effects } = world();
    const bid = await bids.issueForExchange(won, version, exchange);
    expect([bid.validUntil, bid.ttl]).toEqual([now + effects.config.bidTtlMs, (now + 90 * DAY_MS) / 1000]);
    expect([bid.creativeVersion, bid.creative, hasCreative(bid)]).toEqual(['v1', undefined, true]);
    const whole = await bids.issueForExchange(won, { creative }, exchange);
    expect([whole.creativeVersion, whole.creative]).toEqual([undefined, creative]);
  });

  it('is found until the second of its TTL', async () => {
    const { bids, clock } = world();
    const bid = await bids.issue(won);
    clock.set(bid.ttl * 1000 - 1);
    expect(await bids.find(bid.id)).toMatchObject({ id: bid.id });
    clock.set(bid.ttl * 1000);
    expect(await bids.find(bid.id)).toBeUndefined();
  });

  it('is looked up only by a UUID', async () => {
    const { effects } = world();
    const get = () => Promise.reject(new Error('nothing is to be read'));
    expect(await createBidStore({ ...effects, db: { ...effects.db, get } }).find('not-a-uuid')).toBeUndefined();
  });
});

describe('serveBid', () => {
  it('keeps the served bid for 90 days, and removes its conversation limits', async () => {
    const { bids, db, now, servedOf, record } = world();
    const bid = await bids.issue({ ...won, conversation: terms });
    const served = servedOf(bid, { creativeVersion: 'v1', creative, terms: { phrases: ['x'] } });
    expect(await db.write(serveBid(served))).toMatchObject({ ok: true });
    const { conversation, ...issued } = bid;
    expect(await record(bid.id)).toEqual({
      ...issued,
      state: 'served',
      servedAt: now,
      charged: 4,
      day: '2026-11-20',
      impressionCounted: true,
      ttl: (now + 90 * DAY_MS) / 1000,
      creativeVersion: 'v1',
      terms: { phrases: ['x'] },
    });
  });

  it('stores the creative if it has no version, and the context of a legacy request', async () => {
    const { bids, db, servedOf, record } = world();
    const bid = await bids.issue(won);
    await db.write(serveBid(servedOf(bid, { creative, shown: legacy })));
    expect(await record(bid.id)).toMatchObject({ creative, shown: legacy });
  });

  it('succeeds once, before the bid expires', async () => {
    const { bids, db, clock, servedOf } = world();
    const bid = await bids.issue(won);
    clock.set(bid.validUntil);
    expect(await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })))).toMatchObject({ ok: false });
    clock.set(bid.validUntil - 1);
    expect(await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })))).toMatchObject({ ok: true });
    expect(await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })))).toMatchObject({ ok: false });
  });

  it('marks each fact as counted once, and never for a deleted record', async () => {
    const { bids, db, record } = world();
    const { id } = await bids.issue(won);
    for (const fact of ['impression', 'click', 'charge'] as const) {
      expect(await db.write(markCounted(id, fact))).toMatchObject({ ok: true });
      expect(await record(id)).toMatchObject({ [`${fact}Counted`]: true });
      expect(await db.write(markCounted(id, fact))).toMatchObject({ ok: false });
    }
    expect(await db.write(markCounted('gone', 'click'))).toMatchObject({ ok: false });
  });

  it('counts exchange notices once even if the response is lost, and never creates a record', async () => {
    const { bids, db, record } = world();
    const { id } = await bids.issue(won);
    for (let n = 0; n < 2; n++) await db.write(countNotice(id, 'win'));
    expect(await record(id)).toMatchObject({ winNotices: 2 });
    expect(countNotice(id, 'win').once).toBe(true);
    expect(await db.write(countNotice('gone', 'win'))).toMatchObject({ ok: false });
  });
});

describe('attemptClick', () => {
  const click = (at: number, userId = '') => ({ at, userAgent: 'Safari', referrer: '', ip: '', userId, sessionId: '' });

  it('records the first attempt as the click, and later ones as repeats that do not change it', async () => {
    const { bids, now } = world();
    const { id } = await bids.issueLegacy(won, version, legacy);
    const reasons = [];
    for (const userId of ['first', 'second', 'third']) {
      const attempt = await bids.attemptClick(id, click(now, userId), null);
      reasons.push(
        attempt.outcome === 'recorded' ? [attempt.reason, 'click' in attempt.bid && attempt.bid.click.userId] : attempt,
      );
    }
    expect(reasons).toEqual([
      [null, 'first'],
      ['repeat', 'first'],
      ['repeat', 'first'],
    ]);
    expect(countAttempts((await bids.find(id))!)).toEqual({ valid: 1, repeat: 2, head: 0, prefetch: 0, bot: 0 });
  });

  it('counts zero without attempts', () => {
    expect(countAttempts({})).toEqual({ valid: 0, repeat: 0, head: 0, prefetch: 0, bot: 0 });
  });

  it('counts an invalid attempt by kind, without a click', async () => {
    const { bids, now, record } = world();
    const { id } = await bids.issueLegacy(won, version, legacy);
    for (const kind of ['head', 'prefetch', 'prefetch', 'bot', 'bot', 'bot'] as const)
      expect(await bids.attemptClick(id, click(now), kind)).toMatchObject({ outcome: 'recorded', reason: kind });
    expect(await record(id)).not.toHaveProperty('click');
    expect(countAttempts((await bids.find(id))!)).toEqual({ valid: 0, repeat: 0, head: 1, prefetch: 2, bot: 3 });
    expect(await bids.attemptClick(id, click(now), null)).toMatchObject({ reason: null });
  });

  it('finds only ads that were delivered', async () => {
    const { bids, db, now, servedOf } = world();
    const bid = await bids.issue(won);
    const unknown = { outcome: 'unknown' };
    expect(await bids.attemptClick(bid.id, click(now), null)).toEqual(unknown);
    await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })));
    expect(await bids.attemptClick(bid.id, click(now), null)).toMatchObject({ reason: null });
    const ofExchange = await bids.issueForExchange(won, version, exchange);
    expect(await bids.attemptClick(ofExchange.id, click(now), null)).toMatchObject({ reason: null });
    expect(await bids.attemptClick('not-a-uuid', click(now), null)).toEqual(unknown);
  });

  it('finds only legacy ads of the key, if a key is passed', async () => {
    const { bids, now } = world();
    const ad = await bids.issueLegacy(won, version, legacy);
    const ofExchange = await bids.issueForExchange(won, version, exchange);
    const unknown = { outcome: 'unknown' };
    expect(await bids.attemptClick(ad.id, click(now), null, { keyId: 'other' })).toEqual(unknown);
    expect(await bids.attemptClick(ofExchange.id, click(now), null, { keyId: 'key' })).toEqual(unknown);
    expect(await bids.attemptClick(ad.id, click(now), null, { keyId: 'key' })).toMatchObject({ reason: null });
  });

  it('finds an offer whose clicks may charge only with mayCharge', async () => {
    const { bids, now } = world();
    const offer = await bids.issueForExchange(won, version, { ...exchange, byClick: true });
    expect(await bids.attemptClick(offer.id, click(now), null)).toEqual({ outcome: 'unknown' });
    const attempt = await bids.attemptClick(offer.id, click(now), null, { mayCharge: true });
    expect(attempt).toMatchObject({ reason: null });
  });

  it('finds an ad until the second of its TTL', async () => {
    const { bids } = world();
    const { id, ttl } = await bids.issueLegacy(won, version, legacy);
    expect(await bids.attemptClick(id, click(ttl * 1000), null)).toEqual({ outcome: 'unknown' });
    expect(await bids.attemptClick(id, click(ttl * 1000 - 1), null)).toMatchObject({ reason: null });
  });

  it('keeps a clicked ad for 91 days after its last valid click, but redirects only for 90 days after the impression', async () => {
    const { bids, db, clock, now, servedOf, record } = world();
    const bid = await bids.issue({ ...won, conversation: terms });
    await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })));
    const lastMoment = now + 90 * DAY_MS - 1;
    expect(await bids.attemptClick(bid.id, click(lastMoment), 'bot')).toMatchObject({ outcome: 'recorded' });
    expect(await record(bid.id)).toMatchObject({ ttl: (now + 90 * DAY_MS) / 1000 });
    expect(await bids.attemptClick(bid.id, click(lastMoment), null)).toMatchObject({ reason: null });
    clock.set(lastMoment + 90 * DAY_MS);
    expect(await bids.find(bid.id)).toMatchObject({ click: { at: lastMoment } });
    clock.set(lastMoment + 91 * DAY_MS + 1);
    expect(await bids.find(bid.id)).toBeUndefined();
    for (const at of [lastMoment + 1, lastMoment + DAY_MS])
      expect(await bids.attemptClick(bid.id, click(at), null)).toEqual({ outcome: 'unknown' });
  });

  it('keeps a clicked ad without an impression no longer while it names a conversation', async () => {
    const { bids, db, now, servedOf, record } = world();
    const bid = await bids.issueLegacy({ ...won, conversation: terms }, version, legacy);
    await bids.attemptClick(bid.id, click(now), null);
    expect(await record(bid.id)).toMatchObject({ ttl: (now + DAY_MS) / 1000 });
    await db.write(serveBid(servedOf(bid, { creativeVersion: 'v1' })));
    await bids.attemptClick(bid.id, click(now), null);
    expect(await record(bid.id)).toMatchObject({ ttl: (now + 91 * DAY_MS) / 1000 });
    expect(await record(bid.id)).not.toHaveProperty('conversation');
  });

  it('does not report a repeat if the response was lost', async () => {
    const { effects, now } = world();
    const written: unknown[] = [];
    const db: typeof effects.db = {
      ...effects.db,
      write: (write, returning) => {
        written.push(write.once);
        return effects.db.write(write, returning);
      },
    };
    await createBidStore({ ...effects, db }).attemptClick('01234567-89ab-4def-8123-456789abcdef', click(now), null);
    expect(written).toEqual([true]);
  });

  it.each<[string, Record<string, string>, string | null]>([
    ['HEAD', { 'user-agent': 'Bot' }, 'head'],
    ['GET', { 'sec-purpose': 'prefetch;prerender', 'user-agent': 'Bot' }, 'prefetch'],
    ['GET', { purpose: 'Prefetch' }, 'prefetch'],
    ['GET', { 'user-agent': 'Bot' }, 'bot'],
    ['GET', { 'user-agent': 'Safari' }, null],
    ['GET', {}, null],
  ])('classifies %s with %j as %s', (method, headers, expected) => {
    expect(
      getInvalidity(
        method,
        (name) => headers[name],
        (agent) => agent === 'Bot',
      ),
    ).toBe(expected);
  });

  it('checks an empty user agent if none is sent', () => {
    const asked: string[] = [];
    getInvalidity(
      'GET',
      () => undefined,
      (agent) => asked.push(agent) < 0,
    );
    expect(asked).toEqual(['']);
  });
});
