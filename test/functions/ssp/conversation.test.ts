import { beforeEach, describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { runningShoes } from '../../service.ts';
import { createPublisher } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(1_000));

let count = 0;
/** A campaign with a topic of its own, a key, and the calls of a conversation about it. */
async function market(settings: object = {}, campaign: object = {}) {
  const word = `dulcimer${'abcdefghij'[count++ % 10]}${count}`;
  const made = await service.campaign({ targetAudience: { keywords: [word] }, ...campaign });
  const key = await service.key(settings);
  const bid = (more: object = {}) => service.bid(key, `Where do I buy a ${word}?`, more);
  return {
    word,
    campaign: made,
    key,
    bid,
    bidId: async (id: string, turn: number): Promise<string | undefined> =>
      (await bid({ conversation: { id, turn } })).body?.bidId,
    why: async (more: object) => {
      const { body, headers } = await service.call('POST', '/api/v1/ssp/bid', {
        headers: { 'x-api-key': key, 'x-debug': 'true' },
        body: { countryCode: 'US', messages: [{ role: 'user', content: `a ${word} please` }], ...more },
      });
      return body ? 'bid' : JSON.parse(headers['x-debug-info']!).reason;
    },
    show: async (bidId: string | undefined) => (await service.ad(key, bidId!)).status,
  };
}

describe('The ad limits of a conversation', () => {
  it('keep turnSpacing user turns between ads and allow adsPerConversation ads', async () => {
    const { bidId, show, why } = await market({ turnSpacing: 3, adsPerConversation: 2 });
    expect(await show(await bidId('c1', 1))).toBe(200);
    for (const turn of [0, 1, 3]) expect(await why({ conversation: { id: 'c1', turn } })).toBe('turn_spacing');
    expect(await why({ conversation: { id: 'c2', turn: 1 } })).toBe('bid');
    expect(await why({})).toBe('bid'); // no id, no limit
    service.clock.advance(1_000);
    expect(await show(await bidId('c1', 4))).toBe(200);
    service.clock.advance(1_000);
    expect(await why({ conversation: { id: 'c1', turn: 50 } })).toBe('frequency_cap');
    service.clock.advance(24 * 3_600_000 - 2_000); // a day after the first ad, not after the last
    expect(await show(await bidId('c1', 1))).toBe(200); // expired, although the store has not deleted it yet
    expect(await why({ conversation: { id: 'c1', turn: 2 } })).toBe('turn_spacing');
  });

  it("count the user's messages if the request has no turn", async () => {
    const { key, bidId, show, word } = await market({ turnSpacing: 2 });
    expect(await show(await bidId('c', 1))).toBe(200);
    const bidWithTurns = (turns: number) =>
      service.call('POST', '/api/v1/ssp/bid', {
        headers: { 'x-api-key': key },
        body: {
          countryCode: 'US',
          conversation: { id: 'c' },
          messages: Array.from({ length: turns }, () => ({ role: 'user', content: `a ${word} please` })),
        },
      });
    expect((await bidWithTurns(2)).body).toBeNull();
    expect((await bidWithTurns(3)).body).toMatchObject({ bid: 4 });
  });

  it("apply a campaign's frequencyCap in total or per UTC day", async () => {
    const inAll = await market({}, { frequencyCap: { impressions: 2, per: 'conversation' } });
    expect(inAll.campaign.frequencyCap).toEqual({ impressions: 2, per: 'conversation' });
    for (const turn of [1, 2]) expect(await inAll.show(await inAll.bidId('c', turn))).toBe(200);
    expect(await inAll.why({ conversation: { id: 'c', turn: 3 } })).toBe('frequency_cap');
    expect(await inAll.why({ conversation: { id: 'other', turn: 3 } })).toBe('bid');
    const daily = await market({}, { frequencyCap: { impressions: 1, per: 'day' } });
    expect(await daily.show(await daily.bidId('c', 1))).toBe(200);
    expect(await daily.why({ conversation: { id: 'c' } })).toBe('frequency_cap');
    service.clock.advance(23 * 3_600_000); // the next UTC day, within the life of the conversation
    expect(await daily.show(await daily.bidId('c', 2))).toBe(200);
  });

  it('are exact when several bids were won before any ad was shown: the excess gets 404 and costs nothing', async () => {
    const { bidId, show, campaign } = await market(
      { adsPerConversation: 2 },
      { frequencyCap: { impressions: 5, per: 'day' } },
    );
    const won = [];
    for (let turn = 0; turn < 5; turn++) won.push(await bidId('race', turn));
    const statuses = await Promise.all(won.map(show));
    expect(statuses.sort()).toEqual([200, 200, 404, 404, 404]);
    expect((await service.user()('GET', `/campaigns/${campaign.id}`)).body.spentBudget).toBe(0.008);
    service.clock.advance(1_000);
    expect((await Promise.all(won.map(show))).sort()).toEqual([200, 200, 404, 404, 404]); // a repeat gets the same statuses
  });

  it('start over when several ads are shown at once after the conversation ended', async () => {
    const { bidId, show } = await market({ adsPerConversation: 4 });
    expect(await show(await bidId('again', 1))).toBe(200);
    service.clock.advance(24 * 3_600_000);
    const won = [];
    for (let turn = 0; turn < 4; turn++) won.push(await bidId('again', turn));
    expect(await Promise.all(won.map(show))).toEqual([200, 200, 200, 200]);
  });

  it('leave no conversation hash in records that outlive the conversation', async () => {
    const { key, word, bidId, show } = await market({ adsPerConversation: 9 });
    const { db } = service.stack.effects;
    const id = await bidId('short', 1);
    expect(await db.get('bids', { id: id! })).toHaveProperty('conversation.hash');
    expect(await show(id)).toBe(200);
    expect(await db.get('bids', { id: id! })).not.toHaveProperty('conversation');
    const { request, impression } = createPublisher(service, key);
    const conversation = { id: 'short', turn: 2 };
    const ad = (await request(`a ${word} please`, { conversation })).body.ads[0];
    const issued = (await db.get('bids', { id: ad.id }))!;
    expect([issued.conversation?.turn, issued.ttl]).toEqual([2, issued.validUntil / 1000]);
    expect((await impression(ad.id)).status).toBe(200);
    const served = (await db.get('bids', { id: ad.id }))!;
    expect([served.conversation, served.ttl]).toEqual([undefined, issued.issuedAt / 1000 + 90 * 86_400]);
  });

  it('apply to all ads of one response together', async () => {
    for (const [settings, expectedCount] of [
      [{ adsPerConversation: 2 }, 2],
      [{ turnSpacing: 1 }, 1],
    ] as const) {
      const { key, word } = await market(settings);
      for (let more = 0; more < 2; more++) await service.campaign({ targetAudience: { keywords: [word] } });
      const ask = async (conversation?: object) =>
        (await createPublisher(service, key).request(`a ${word} please`, { preferences: { maxAds: 3 }, conversation }))
          .body.ads;
      expect(await ask()).toHaveLength(3);
      expect(await ask({ id: 'one answer' })).toHaveLength(expectedCount);
    }
  });

  it('count ads of a test key separately, and bound the campaign counts to the size of the item', async () => {
    const cap = { frequencyCap: { impressions: 1, per: 'day' } };
    const { word, bidId, show, why } = await market({}, cap);
    const test = await service.key({ mode: 'test' });
    const tried = async () => (await service.bid(test, `a ${word} please`, { conversation: { id: 'live' } })).body;
    const { bidId: tryout } = await tried();
    expect((await service.ad(test, tryout)).status).toBe(200);
    expect(await tried()).toBeNull();
    const id = await bidId('live', 1);
    const { db } = service.stack.effects;
    const { hash } = (await db.get('bids', { id: id! }))!.conversation!;
    expect(await show(id)).toBe(200);
    expect(await why({ conversation: { id: 'live' } })).toBe('frequency_cap');
    const other = await market({}, cap);
    expect(await other.why({ conversation: { id: 'live' } })).toBe('bid');
    const item = (await db.get('conversations', { conversation: hash }))!;
    const counts = Object.fromEntries(
      Array.from({ length: 19 }, (_, n) => [`cmp_${'x'.repeat(18)}${n + 10}_20261120`, 1]),
    );
    await db.write({ table: 'conversations', put: { ...item, ...counts } });
    expect(await other.why({ conversation: { id: 'live' } })).toBe('frequency_cap');
  });

  it('apply across all keys of an owner, not across owners, and store only a hash of the id', async () => {
    const { word, bidId, show } = await market({ adsPerConversation: 1 });
    expect(await show(await bidId('reader@example.com', 1))).toBe(200);
    const ask = async (user: string) => {
      const { body } = await service.user(user)('POST', '/auth/api-keys', { name: 'Other', adsPerConversation: 1 });
      return (await service.bid(body.key, `a ${word} please`, { conversation: { id: 'reader@example.com' } })).body;
    };
    expect(await ask('publisher')).toBeNull();
    expect(await ask('somebody-else')).toMatchObject({ bid: 4 });
    const { db } = service.stack.effects;
    const stored = [];
    for await (const item of db.query({
      table: 'conversations',
      where: '#conversation = :c',
      values: { c: '#secret' },
    }))
      stored.push(item);
    expect(stored).toHaveLength(1);
    expect(service.lines.join()).not.toContain('reader@example.com');
  });

  it('are rejected with the path and message of each fault', async () => {
    const { bid } = await market();
    for (const [conversation, path] of [
      [{ id: '' }, 'conversation.id'],
      [{ id: 'x'.repeat(129) }, 'conversation.id'],
      [{ turn: -1 }, 'conversation.turn'],
      ['c', 'conversation'],
    ] as const)
      expect((await bid({ conversation })).body.details[0].path).toBe(path);
    service.clock.advance(1_000);
    const { status, body } = await service.user()('POST', '/campaigns', {
      ...runningShoes(),
      frequencyCap: { impressions: 0, per: 'week' },
    });
    expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['frequencyCap.impressions', 'frequencyCap.per'],
    ]);
  });
});

describe('A publisher', () => {
  it('gets no ad of blocked domains and categories', async () => {
    const creative = { ...runningShoes().creative, landingUrl: 'https://www.shop.blocked.example/x' };
    for (const settings of [
      { blockedDomains: ['blocked.example'] },
      { blockedCategories: ['Style & Fashion'] },
      { blockedCategories: ['IAB18'] },
    ]) {
      const { why } = await market(settings, { creative, targetAudience: { keywords: ['leather handbags'] } });
      expect(await why({ messages: [{ role: 'user', content: 'Where do I buy leather handbags?' }] })).toBe('blocked');
    }
    const own = { keywords: ['glorbling'], categories: ['Piercing Jewelry', "Women's Fashion"] };
    const below = await market({ blockedCategories: ['Style & Fashion'] }, { creative, targetAudience: own });
    expect(await below.why({ messages: [{ role: 'user', content: 'Where do I buy a glorbling?' }] })).toBe('blocked');
    const { why } = await market({ blockedDomains: ['locked.example'], blockedCategories: ['Pets'] }, { creative });
    expect(await why({})).toBe('bid');
  });

  it('is paid the second price if the key is set so: the price needed to win, between the floor and the bid', async () => {
    const publisher = await market({ auction: 'second', bidFloor: 1.5 });
    const { body } = await publisher.bid();
    expect(body.bid).toBe(1.5);
    expect(await publisher.show(body.bidId)).toBe(200);
    expect((await service.user()('GET', `/campaigns/${publisher.campaign.id}`)).body.spentBudget).toBe(0.0015);
    await service.campaign({ targetAudience: { keywords: [publisher.word] }, maxCpb: 3 });
    expect((await publisher.bid()).body.bid).toBe(3.001);
    await service.campaign({ targetAudience: { keywords: [publisher.word] }, maxCpb: 4 });
    expect((await publisher.bid()).body.bid).toBe(4); // an equal rival: never more than the bid
  });
});

describe('Privacy regulation', () => {
  it('excludes all ads for a child', async () => {
    const { why } = await market();
    expect(await why({ regs: { coppa: 1 } })).toBe('coppa');
    expect(await why({ regs: { coppa: 0 } })).toBe('bid');
  });

  it('keeps address, browser, page, and user out of a click after an opt-out or an unreadable signal', async () => {
    const { bid, show } = await market();
    const getStoredClick = async (regs: object | undefined) => {
      service.clock.advance(1_000);
      const { bidId } = (await bid({ regs })).body;
      expect(await show(bidId)).toBe(200);
      const headers = { 'user-agent': 'Mozilla/5.0', referer: 'https://chat.example/' };
      await service.call('GET', `/api/v1/click/${bidId}`, { headers });
      const stored = await service.stack.effects.db.get('bids', { id: bidId });
      if (!stored || !('click' in stored)) return undefined;
      const { at, ...seen } = stored.click;
      expect(Object.keys(stored.terms).length > 0).toBe(seen.ip !== '');
      return Object.values(seen).filter(Boolean).sort().join(' ');
    };
    for (const regs of [
      undefined,
      {},
      { us_privacy: '1YNN' },
      { us_privacy: '1---' },
      { gdpr: 0 },
      { gdpr: 1, consent: CONSENT },
      { gpp: 'DBABBg~BAgAAABA.QA' },
    ])
      expect(await getStoredClick(regs), JSON.stringify(regs)).toBe('203.0.113.0 Mozilla/5.0 https://chat.example/');
    for (const regs of [
      { us_privacy: '1YYN' },
      { us_privacy: '2' },
      { gdpr: 1 },
      { gdpr: 1, consent: 'x' },
      { gpp: 'DBABBg~BAQAAABA.QA' }, // an opt-out of sale in California
      { gpp: 'x' },
    ])
      expect(await getStoredClick(regs), JSON.stringify(regs)).toBe('');
    expect(service.lines.filter((line) => line.includes('"ip":""')).length).toBeGreaterThan(0);
  });

  it("keeps terms out of the bid after an opt-out, and still counts the conversation's ads", async () => {
    const { bid, show, why } = await market({ adsPerConversation: 1 });
    const request = { regs: { us_privacy: '1YYN, and what cannot be read' }, conversation: { id: 'c' } };
    const { bidId } = (await bid(request)).body;
    const stored = await service.stack.effects.db.get('bids', { id: bidId });
    expect([stored!.terms, stored!.keywords, stored!.optOut]).toEqual([{}, undefined, true]);
    expect(await show(bidId)).toBe(200);
    expect(await why(request)).toBe('frequency_cap');
  });

  it('keeps only the placement of a legacy request after an opt-out', async () => {
    const { key, word } = await market();
    const ask = (regs?: object) =>
      service.call('POST', '/api/v1/ad-serving/request', {
        headers: { 'x-api-key': key },
        body: {
          context: { conversation: `User: a ${word} please`, metadata: { userId: 'u1', sessionId: 's1' } },
          placement: { type: 'inline' },
          regs,
        },
      });
    const getStoredContext = async (regs?: object) => {
      const { body } = await ask(regs);
      return (await service.stack.effects.db.get('bids', { id: body.ads[0].id }))?.shown;
    };
    expect(await getStoredContext()).toMatchObject({ conversation: `User: a ${word} please`, userId: 'u1' });
    expect(await getStoredContext({ us_privacy: '1YYN' })).toEqual({
      conversation: '',
      userQuery: '',
      placement: { type: 'inline', position: '' },
      userId: '',
      sessionId: '',
      userAgent: '',
      ip: '',
    });
    const { id } = (await ask({ us_privacy: '1YYN' })).body.ads[0];
    const { impression, click } = createPublisher(service, key);
    const named = 'userId=u1&sessionId=s1';
    expect([(await impression(id, named)).status, (await click(id, named)).status]).toEqual([200, 200]);
    const record = await service.stack.effects.db.get('bids', { id });
    expect(record).toMatchObject({ state: 'served', terms: {}, click: { userId: '', sessionId: '' } });
    expect(JSON.stringify(record)).not.toMatch(/"(u1|s1)"/);
    expect((await ask({ coppa: 1 })).status).toBe(503);
  });
});

/** A TCF 2 string with consent to purposes 1 and 2. */
const CONSENT = 'CQuFeUAQuFeUAAfAAAENAAFgAMAAAAAAAAAAAAAAAAAA.IAAA.YAAAAAAAAAAA';
