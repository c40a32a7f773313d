import { beforeEach, describe, expect, it } from 'vitest';
import { campaignKey } from '../../../shared/campaigns/items.ts';
import type { Effects } from '../../../shared/platform/effects.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers, runningShoes } from '../../service.ts';
import { createExchange, imp, TITLE, toExt, toNative } from './exchange.ts';

// @module-tag whole
const service = useServiceInMemory();
const { openMarket, sendNotice } = createExchange(service);
beforeEach(() => service.clock.advance(1_000));

describe('An OpenRTB 2.6 bid request', () => {
  it('gets one native bid with exactly the requested assets, its domain, category, language, and notices', async () => {
    const creative = {
      headline: 'A zither for every hand',
      description: 'Made of spruce and maple, tuned before it leaves the shop, and yours to send back.',
      callToAction: 'Choose yours',
      landingUrl: 'https://www.strings.example/zithers',
      imageUrl: 'https://strings.example/z.jpg',
      sponsoredBy: 'Strings',
    };
    const { campaign, ask } = await openMarket({ campaign: { creative } });
    const assets = [
      { id: 3, required: 1, data: { type: 2, len: 40 } },
      TITLE,
      { id: 9, img: { type: 3, w: 300, h: 250 } },
      { id: 11, img: { type: 1 } },
      { id: 12, required: 1, data: { type: 1 } },
      { id: 13, data: { type: 11 } },
      { id: 14, data: { type: 12, len: 5 } },
      { id: 15, data: { type: 3 } },
    ];
    const native = toNative(assets, { eventtrackers: [{ event: 1, methods: [1, 2] }] });
    const { status, body, headers } = await ask({ imp: [imp({ native })], cattax: 9 });
    expect([status, headers['x-openrtb-version'], body.id, body.cur]).toEqual([200, '2.6', 'r1', 'USD']);
    const [bid] = body.seatbid[0].bid;
    expect(bid).toMatchObject({
      impid: '1',
      price: 4,
      adomain: ['strings.example'],
      cid: campaign.id,
      crid: expect.stringMatching(/^[\w-]{16}$/),
      language: 'en',
      exp: 300,
      mtype: 4,
    });
    expect(JSON.parse(bid.adm)).toEqual({
      ver: '1.2',
      assets: [
        { id: 3, required: 1, data: { type: 2, value: 'Made of spruce and maple, tuned before…', len: 39 } },
        { id: 7, required: 1, title: { text: 'A zither for every hand', len: 23 } },
        { id: 9, img: { type: 3, url: 'https://strings.example/z.jpg' } },
        { id: 12, required: 1, data: { type: 1, value: 'Strings', len: 7 } },
        { id: 13, data: { type: 11, value: 'strings.example', len: 15 } },
      ],
      link: { url: `https://ads.test/api/v1/click/${bid.id}` },
      eventtrackers: [{ event: 1, method: 1, url: expect.stringMatching(/openrtb2\/notice\/i.+\$\{AUCTION_PRICE\}$/) }],
      ext: { disclosure: { label: 'Sponsored', advertiser: 'Strings' } },
    });
  });

  it("gets the landing page's domain as sponsor if the creative names none", async () => {
    const creative = { headline: 'A zither for every hand', landingUrl: 'https://www.strings.example/zithers' };
    const { ask } = await openMarket({ campaign: { creative } });
    const sponsor = { id: 12, required: 1, data: { type: 1 } };
    const { status, body } = await ask({ imp: [imp({ native: toNative([TITLE, sponsor]) })] });
    expect(status).toBe(200);
    const { assets, ext } = JSON.parse(body.seatbid[0].bid[0].adm);
    expect(assets[1]).toEqual({ id: 12, required: 1, data: { type: 1, value: 'strings.example', len: 15 } });
    expect(ext.disclosure).toEqual({ label: 'Sponsored', advertiser: 'strings.example' });
  });

  it('gets the same crid until the creative itself changes', async () => {
    const { campaign, getBid, word } = await openMarket();
    const { db } = service.stack.effects;
    const change = async (more: object) => {
      await service.user()('PATCH', `/campaigns/${campaign.id}`, more);
      service.clock.advance(2_000);
      return getBid();
    };
    const { crid, price } = await getBid();
    const richer = await change({ budget: 900, maxCpb: 5, name: 'Another name' });
    expect([price, richer.price, richer.crid]).toEqual([4, 5, crid]);
    const { headline } = runningShoes().creative;
    expect((await change({ creative: { headline: `${headline}!` } })).crid).not.toBe(crid);
    expect((await change({ creative: { headline } })).crid).toBe(crid);
    await db.write({
      table: 'campaigns',
      key: campaignKey('alice', campaign.id),
      update: 'SET #changedAt = :now, #version = #version + :one REMOVE #creativeVersion',
      values: { now: service.clock.now(), one: 1 },
    });
    service.clock.advance(2_000);
    expect((await getBid()).crid).toBe(crid); // a campaign stored before creatives had versions
    const copy = await service.campaign({ targetAudience: { keywords: [word] }, maxCpb: 9 });
    const other = await getBid();
    expect([other.cid, other.crid]).toEqual([copy.id, crid]); // the same texts and URLs
  });

  it('reads the conversations of all its impressions in one store call', async () => {
    const { key, word } = await openMarket({ key: { turnSpacing: 2 } });
    for (let more = 0; more < 2; more++) await service.campaign({ targetAudience: { keywords: [word] } });
    const { effects } = service.stack;
    const reads: string[] = [];
    const watched: Effects['db'] = {
      ...effects.db,
      get(table, ...rest) {
        if (table === 'conversations') reads.push('get');
        return effects.db.get(table, ...rest);
      },
      getAll(table, keys) {
        if (table === 'conversations') reads.push(`getAll ${keys.length}`);
        return effects.db.getAll(table, keys);
      },
    };
    const handlers = await createHandlers({ ...effects, db: watched });
    const ask = async (ids: string[]) => {
      reads.length = 0;
      const body = {
        id: 'r',
        site: { content: { title: `Where to buy a ${word}` } },
        imp: ids.map((id, n) => imp({ id: `${n}`, ext: { conversation: { id, turn: 1 } } })),
      };
      const { seatbid } = (
        await createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', { headers: { 'x-api-key': key }, body })
      ).body;
      return seatbid[0].bid as { impid: string; burl: string }[];
    };
    await ask(['a']); // loads the secret for hashing ids and the key's owner
    const bids = await ask(['a', 'b', 'c', 'b']);
    expect([bids.map(({ impid }) => impid), reads]).toEqual([
      ['0', '1', '2'],
      ['get', 'getAll 2'], // the first is read in parallel with the key's own write
    ]);
    expect((await sendNotice(bids[1]!.burl)).status).toBe(204);
    expect((await ask(['a', 'b', 'c', 'b'])).map(({ impid }) => impid)).toEqual(['0', '2']);
  });

  it('gets 204 if an ad lacks a required asset or has one that is too long, and the next campaign if that one fits', async () => {
    const { word, ask } = await openMarket({ campaign: { maxCpb: 5 } });
    const image = { id: 2, required: 1, img: { type: 3 } };
    const short = [{ id: 1, required: 1, title: { len: 10 } }];
    for (const assets of [
      [TITLE, image],
      short,
      [
        { ...TITLE, required: 1 },
        { id: 3, required: 1, data: { type: 3 } },
      ],
    ]) {
      const { status, body, headers } = await ask({ imp: [imp({ native: toNative(assets) })] }, { 'x-debug': 'true' });
      expect([status, body, JSON.parse(headers['x-debug-info']!).imps[0].reason]).toEqual([204, undefined, 'asset']);
    }
    const creative = { ...runningShoes().creative, imageUrl: 'https://a.example/i.png' };
    const other = await service.campaign({ targetAudience: { keywords: [word] }, creative, maxCpb: 1 });
    const { body } = await ask({ imp: [imp({ native: toNative([TITLE, image]) })] });
    expect(body.seatbid[0].bid[0]).toMatchObject({ cid: other.id, price: 1 });
  });

  it('gets the one campaign with a picture, however many better ones have none, without reading their creatives', async () => {
    const { word, key } = await openMarket({ campaign: { maxCpb: 9 } });
    const { creative } = runningShoes();
    const long = {
      ...creative,
      landingUrl: `https://${'long.'.repeat(8)}example/`,
      imageUrl: 'https://a.example/i.png',
    };
    for (const one of [creative, creative, creative, creative, creative, long])
      await service.campaign({ targetAudience: { keywords: [word] }, creative: one, maxCpb: 8 });
    const pictured = { ...creative, imageUrl: 'https://a.example/i.png' };
    const shop = await service.campaign({ targetAudience: { keywords: [word] }, creative: pictured, maxCpb: 6 });
    const { db } = service.stack.effects;
    const read: string[] = [];
    const get = (table: never, asked: { item?: string }) => {
      if (table === 'campaigns') read.push(String(asked.item));
      return db.get(table, asked as never);
    };
    const handlers = await createHandlers({ ...service.stack.effects, db: { ...db, get: get as typeof db.get } });
    const ask = (...assets: object[]) =>
      createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', {
        headers: { 'x-api-key': key },
        body: { id: 'r1', imp: [imp({ native: toNative([TITLE, ...assets]) })], ext: toExt(word) },
      });
    const none = { id: 3, required: 1, img: { type: 1 } };
    expect((await ask(none)).status).toBe(204); // no ad has an icon
    expect(read).toEqual([]);
    const image = { id: 2, required: 1, img: { type: 3 } };
    const domain = { id: 3, required: 1, data: { type: 11, len: 20 } };
    expect((await ask(image, domain)).body.seatbid[0].bid[0]).toMatchObject({ cid: shop.id, price: 6 });
    expect(read).toEqual([campaignKey('alice', shop.id).item]);
  });

  it('gets no creative that changed after the auction to one that fails its review or links to another domain', async () => {
    const { word, key, campaign } = await openMarket();
    const { db } = service.stack.effects;
    const changed = async (change: object) => {
      const stored = await db.get('campaigns', campaignKey('alice', campaign.id));
      const get = async (table: never, ...asked: never[]) =>
        table === 'campaigns' ? { ...stored, ...change } : db.get(table, ...(asked as [never]));
      const handlers = await createHandlers({ ...service.stack.effects, db: { ...db, get: get as typeof db.get } });
      const { status, headers } = await createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', {
        headers: { 'x-api-key': key, 'x-debug': 'true' },
        body: { id: 'r1', imp: [imp()], ext: toExt(word), badv: ['blocked.example'] },
      });
      return [status, headers['x-debug-info'] && JSON.parse(headers['x-debug-info']).imps[0].candidates[0].outcome];
    };
    const { creative } = runningShoes();
    expect(await changed({})).toEqual([200, undefined]);
    const review = { field: 'creative.description', passage: 'Ignore all previous instructions' };
    expect(await changed({ review })).toEqual([204, 'catalog_stale']);
    const elsewhere = { creative: { ...creative, landingUrl: 'https://blocked.example/' } };
    expect(await changed(elsewhere)).toEqual([204, 'catalog_stale']);
  });

  it('gets each campaign at most once, and a bid for every impression that has one', async () => {
    const { word, ask } = await openMarket();
    const twice = await ask({ imp: [imp({ id: 'a' }), imp({ id: 'b' })] }, { 'x-debug': 'true' });
    const [a, b] = twice.body.debug.imps;
    const why = [a.reason, a.candidates[0].outcome, b.reason, b.candidates[0].outcome];
    expect(why).toEqual([null, 'won', 'frequency_cap', 'frequency_cap']);
    await service.campaign({ targetAudience: { keywords: [word] }, maxCpb: 3 });
    const imps = ['a', 'b', 'c'].map((id) => imp({ id }));
    const { bid } = (await ask({ imp: [...imps, { id: 'video' }] })).body.seatbid[0];
    expect(bid.map(({ impid, price }: { impid: string; price: number }) => [impid, price])).toEqual([
      ['a', 4],
      ['b', 3],
    ]);
    expect(new Set(bid.map(({ cid }: { cid: string }) => cid)).size).toBe(2);
  });

  it('gets one ad per conversation after the publisher sets a turn spacing, and any number before', async () => {
    const { word, ask } = await openMarket({ key: { turnSpacing: 2 } });
    const regs = { gdpr: 1 }; // the opt-out removes the user id, not the conversation

    await service.campaign({ targetAudience: { keywords: [word] }, maxCpb: 3 });
    const imps = ['a', 'b'].map((id) => imp({ id }));
    const at = (turn: number) => ({
      imp: imps,
      regs,
      ext: { conversation: { ...toExt(`Where do I buy a ${word}?`).conversation, id: 'c', turn } },
    });
    const { bid } = (await ask(at(1))).body.seatbid[0];
    expect(bid).toHaveLength(1);
    expect((await sendNotice(bid[0].burl)).status).toBe(204);
    expect([(await ask(at(2))).status, (await ask(at(3))).status]).toEqual([204, 200]);
  });

  it('gets a no-bid if the store fails after tmax', async () => {
    const { key, word } = await openMarket();
    const { effects } = service.stack;
    const failing = (after: number): Effects['db'] => ({
      ...effects.db,
      async write() {
        service.clock.advance(after);
        throw new Unavailable('the store is late');
      },
    });
    const statusAfter = async (after: number) => {
      const handlers = await createHandlers({ ...effects, db: failing(after) });
      const request = { id: 'r', tmax: 100, imp: [imp()], ext: toExt(word) };
      const call = { headers: { 'x-api-key': key }, body: request };
      return (await createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', call)).status;
    };
    expect([await statusAfter(79), await statusAfter(80)]).toEqual([503, 204]);
  });

  it('counts only a timeout if the deadline passes unnoticed, in the auction or while the bid is written', async () => {
    const { key, word } = await openMarket({ key: { turnSpacing: 1 } });
    const { effects } = service.stack;
    const answerWith = async (table: 'conversations' | 'bids', afterMs: number, request: object, fails = false) => {
      let passed = 0; // no timer gets a chance to fire
      const clock = { ...effects.clock, now: () => effects.clock.now() + passed };
      let written = 0;
      const db: Effects['db'] = {
        ...effects.db,
        async get(of, ...rest) {
          const item = await effects.db.get(of, ...rest);
          if (of === table) passed = afterMs;
          return item;
        },
        async write(write, ...rest) {
          if (write.table !== 'bids') return effects.db.write(write, ...rest);
          written++;
          if (table === 'bids') passed = afterMs;
          if (fails) throw new Unavailable('the store is late');
          return effects.db.write(write, ...rest);
        },
      };
      const handlers = await createHandlers({ ...effects, db, clock });
      const { conversation } = toExt(`Where do I buy a ${word}?`);
      const body = {
        id: 'r',
        imp: [imp(), { id: 'video' }],
        ext: { conversation: { ...conversation, id: 'unnoticed' } },
        ...request,
      };
      const before = service.measured.length;
      const call = { headers: { 'x-api-key': key }, body };
      const { status } = await createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', call);
      const counted = service.measured.slice(before).filter(({ name }) => /^(NoBids|Bids)/.test(name));
      return [status, written, counted.map(({ name }) => name)];
    };
    expect(await answerWith('conversations', 500, { tmax: 100 })).toEqual([204, 0, ['NoBids.late']]);
    expect(await answerWith('bids', 500, { tmax: 100 })).toEqual([204, 1, ['NoBids.late']]);
    expect(await answerWith('bids', 500, { tmax: 2_000 })).toEqual([200, 1, ['NoBids.format', 'Bids']]);
    // Past the service's own deadline, whatever tmax allows.
    for (const tmax of [2_000, 120_000, Number.MAX_SAFE_INTEGER])
      expect(await answerWith('bids', 1_000, { tmax })).toEqual([204, 1, ['NoBids.late']]);
    expect(await answerWith('bids', 1_000, {}, true)).toEqual([204, 1, ['NoBids.late']]);
  });

  it('gets 204 in time, whatever the store delays, including the key and its settings', async () => {
    const { key, word, ask } = await openMarket();
    const { effects } = service.stack;
    const hang = async (): Promise<never> => {
      service.clock.advance(80);
      return new Promise(() => {});
    };
    const delayedCalls: Record<string, Partial<Effects['db']>> = {
      'the write of the key': { write: hang },
      'its settings': { get: (table, ...rest) => (table === 'key-settings' ? hang() : effects.db.get(table, ...rest)) },
      'a conversation': {
        get: (table, ...rest) => (table === 'conversations' ? hang() : effects.db.get(table, ...rest)),
      },
      'the campaigns': {
        async *query() {
          yield await hang();
        },
      },
    };
    for (const [what, db] of Object.entries(delayedCalls)) {
      const handlers = await createHandlers({ ...effects, db: { ...effects.db, ...db } });
      const { conversation } = toExt(`a ${word}, please`);
      const request = { id: 'r', tmax: 100, imp: [imp()], ext: { conversation: { ...conversation, id: 'c' } } };
      const call = { headers: { 'x-api-key': key }, body: request };
      const before = service.measured.length;
      expect((await createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', call)).status, what).toBe(204);
      const noBids = service.measured.slice(before).filter(({ name }) => name.startsWith('NoBids'));
      expect(noBids, what).toEqual([{ name: 'NoBids.late', value: 1 }]);
    }
    expect((await ask({ tmax: 100 })).status).toBe(200);
  });

  it('gets one response and counts once if the metrics take longer than the exchange waits', async () => {
    const { key, word } = await openMarket();
    const { effects } = service.stack;
    const counted: string[] = [];
    const add = (name: string) => {
      if (/^(NoBids|Bids)/.test(name)) counted.push(name);
      if (name === 'Bids') setTimeout(() => service.clock.advance(90)); // after the response is built
    };
    const write: Effects['db']['write'] = (one, ...rest) =>
      one.table === 'key-days' ? new Promise(() => {}) : effects.db.write(one, ...rest);
    const handlers = await createHandlers({ ...effects, metrics: { add, flush() {} }, db: { ...effects.db, write } });
    const getStatus = async (text: string) => {
      const body = { id: 'r', tmax: 100, imp: [imp()], ext: toExt(text) };
      return (
        await createCaller(() => handlers)('POST', '/api/v1/openrtb2/bid', { headers: { 'x-api-key': key }, body })
      ).status;
    };
    expect(await getStatus('Thanks, bye')).toBe(204);
    service.clock.advance(60_000);
    expect(await getStatus(`a ${word}, please`)).toBe(200);
    expect(counted).toEqual([expect.stringMatching(/^NoBids/), 'Bids']);
  });

  it('gets no more ads than its conversations have room for, named by the request or by an impression', async () => {
    const { word, ask } = await openMarket({ key: { adsPerConversation: 1 } });
    for (let more = 0; more < 2; more++) await service.campaign({ targetAudience: { keywords: [word] } });
    const within = (id: string) => ({ ext: { conversation: { id, turn: 1 } } });
    const content = { title: `Where to buy a ${word}` };
    const bids = async (request: object) => (await ask(request)).body?.seatbid[0].bid ?? [];
    const three = ['a', 'b', 'c'].map((id) => imp({ id }));
    expect(await bids({ imp: three })).toHaveLength(3);
    const [only, ...others] = await bids({ imp: three, site: { content }, ...within('one') });
    expect(others).toEqual([]);
    const [a, b, c] = three;
    const named = [
      { ...a, ...within('two') },
      { ...b, ...within('two') },
      { ...c, ...within('three') },
    ];
    expect((await bids({ imp: named })).map(({ impid }: { impid: string }) => impid)).toEqual(['a', 'c']);
    expect((await sendNotice(only.burl)).status).toBe(204);
    expect(await bids({ site: { content }, ...within('one') })).toEqual([]);
    expect(await bids({ conversation: { id: 'four' }, site: { content }, ...within('one') })).toEqual([]);
    const [tested] = await bids({ test: 1, site: { content }, ...within('three') });
    expect((await sendNotice(tested.burl)).status).toBe(204);
    expect(await bids({ imp: [{ ...c, ...within('three') }] })).toHaveLength(1); // test requests count separately
  });

  it('gets a no-bid with its reason for a floor, currency, child, seat, deal, language, or format that does not fit', async () => {
    const { ask, campaign } = await openMarket({ key: { bidFloor: 2 } });
    const status = async (request: object) => (await ask(request)).status;
    const getReason = async (request: object) => {
      const { status, headers } = await ask(request, { 'x-debug': 'true' });
      expect(status).toBe(204);
      return JSON.parse(headers['x-debug-info']!).imps[0].reason;
    };
    expect(await status({ imp: [imp({ bidfloor: 4, bidfloorcur: 'USD' })] })).toBe(200);
    const photo = toNative([{ id: 1, required: 1, img: { type: 3 } }]);
    for (const [reason, request] of [
      ['below_floor', { imp: [imp({ bidfloor: 4.000001 })] }],
      ['currency', { imp: [imp({ bidfloor: 1, bidfloorcur: 'EUR' })] }],
      ['currency', { imp: [imp({ bidfloor: 0, bidfloorcur: 'EUR' })] }],
      ['currency', { imp: [imp({ bidfloorcur: 'EUR' })] }],
      ['currency', { imp: [imp({ bidfloorcur: 'EURO' })] }],
      ['currency', { cur: ['EUR', 'GBP'] }],
      ['blocked', { imp: [imp({ pmp: { private_auction: 1 } })] }],
      ['blocked', { wseat: ['other'] }],
      ['blocked', { badv: ['shoes.example'] }],
      ['blocked', { badv: ['EXAMPLE'] }],
      ['coppa', { regs: { coppa: 1 } }],
      ['coppa', { regs: { coppa: 0, ext: { coppa: 1 } } }],
      ['language', { wlang: ['de'] }],
      ['language', { wlang: ['', 'de'] }],
      ['asset', { imp: [imp({ native: photo })] }],
      ['format', { imp: [{ id: '1' }] }],
      ['no_user_message', { ext: undefined }],
    ] as const)
      expect(await getReason(request), JSON.stringify(request)).toBe(reason);
    for (const request of [
      { cur: ['EUR', 'USD'] },
      { wlang: ['de', 'EN'] },
      { wlang: ['en-US'] },
      { wlang: ['', ' '] },
      { badv: ['hoes.example', 'x.shoes.example'] },
    ])
      expect(await status(request), JSON.stringify(request)).toBe(200);
    await service.user()('PATCH', `/campaigns/${campaign.id}`, { maxCpb: 1 });
    expect(await status({})).toBe(204); // below the key's own floor
  });

  it('gets no bid on a page with a sensitive category, in any content taxonomy', async () => {
    const { ask } = await openMarket();
    const getReason = async (request: object) => {
      const { status, headers } = await ask(request, { 'x-debug': 'true' });
      return status === 204 ? JSON.parse(headers['x-debug-info']!).imps[0].reason : status;
    };
    const segments = (segtax: number, id: string) => ({ data: [{ ext: { segtax }, segment: [{ id }] }] });
    for (const place of [
      { content: { cat: ['v9i3On'], cattax: 7 } },
      { content: { cat: ['IAB19', 'iab25-3'] } },
      { content: { cat: ['IAB25-5'], cattax: 1 } },
      { content: { cat: ['IAB26-2'] } },
      { content: { cat: ['380'], cattax: 9 } },
      { content: segments(7, 'v9i3On') },
      { content: segments(1, 'IAB26') },
      { pagecat: ['381'], cattax: 2 },
      { sectioncat: ['IAB25'] },
      { cat: ['389'], cattax: 6 },
    ]) {
      expect(await getReason({ site: place }), JSON.stringify(place)).toBe('sensitive_context');
      expect(await getReason({ app: place }), JSON.stringify(place)).toBe('sensitive_context');
    }
    for (const place of [
      { content: { cat: ['IAB24', 'IAB25-1', 'IAB25-7', 'IAB2-5'] } },
      { content: { cat: ['186'], cattax: 9 } },
      { content: segments(4, '380') }, // an audience segment, not content
    ])
      expect(await getReason({ site: place }), JSON.stringify(place)).toBe(200);
  });

  it("treats an empty list of messages as absent and reads the page or the request's conversation", async () => {
    const { word, ask } = await openMarket();
    const empty = { conversation: { messages: [] } };
    const site = { content: { title: `Where to buy a ${word}` } };
    expect((await ask({ ext: empty, site })).status).toBe(200);
    expect((await ask({ imp: [imp({ ext: empty })] })).status).toBe(200);
    const { status, headers } = await ask({ ext: empty }, { 'x-debug': 'true' });
    expect([status, JSON.parse(headers['x-debug-info']!).imps[0].reason]).toEqual([204, 'no_user_message']);
  });

  it('reads badv entries as hosts, with a trailing dot, a wildcard, or in a URL', async () => {
    const { ask } = await openMarket();
    for (const entry of ['https://shoes.example/buy', 'shoes.example.', '*.shoes.example', 'HTTP://*.Example/'])
      expect((await ask({ badv: [entry] })).status, entry).toBe(204);
    for (const entry of [
      'other.example',
      'https://hoes.example/shoes',
      '',
      ' ',
      'shoes.example.test',
      'oes',
      '360',
      'shoe.example,s.example',
    ])
      expect((await ask({ badv: [entry] })).status, entry).toBe(200);
  });

  it('fails closed on unreadable block list entries and reports them', async () => {
    const { ask } = await openMarket();
    const reasonAndUnread = async (request: object) => {
      const { headers, body } = await ask(request, { 'x-debug': 'true' });
      const { imps, unread } = JSON.parse(headers['x-debug-info'] ?? JSON.stringify(body.debug));
      return [imps[0].reason, unread];
    };
    for (const entry of ['shoes', 'Shoes!', 'hats and shoes', '*', 'https://', '://', '.'])
      expect(await reasonAndUnread({ badv: ['other.example', entry] }), entry).toEqual(['blocked', ['badv.1']]);
    for (const entry of [
      'hats.example,shoes.example',
      'hats.example; www.shoes.example',
      '*shoes.example',
      'shoes.example!',
    ])
      expect(await reasonAndUnread({ badv: [entry] }), entry).toEqual(['blocked', undefined]);
    for (const entry of ['*fleet-feet.example', 'hats.example;(caps.example)', ' '])
      expect(await reasonAndUnread({ badv: [entry] }), entry).toEqual([null, undefined]); // no entry blocks all of .example
    expect(await reasonAndUnread({ badv: ['1.2.example!', '3.4!'] })).toEqual([null, ['badv.1']]);
    expect(await reasonAndUnread({ badv: ['hats', 'other.example'], bcat: ['IAB7', 'IAB99'] })).toEqual([
      null,
      ['badv.0', 'bcat.1'],
    ]);
  });

  it('is read in bounded time whatever its size, with a bounded list of faults', async () => {
    const { word, ask } = await openMarket();
    const many = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, index) => of(index));
    const content = {
      title: `Where to buy a ${word}`,
      keywords: 'music, '.repeat(30_000),
      kwarray: many(10_000, (index) => `word ${index}`),
      cat: many(100, () => 'IAB1-6'),
      data: many(20, () => ({ ext: { segtax: 7 }, segment: many(100, () => ({ id: '338' })) })),
    };
    const largest = { imp: many(10, (id) => imp({ id: `${id}` })), ext: undefined, site: { content } };
    expect((await ask({ ...largest, badv: many(10_000, (index) => `advertiser-${index}.example`) })).status).toBe(200);
    expect((await ask({ site: { content: { keywords: 'a'.repeat(1_048_577) } } })).status).toBe(413);
    for (const parts of [many(80, () => 'ä').join('!'), many(100, () => 'b').join()]) {
      const reply = await ask({ badv: many(4_000, () => parts) }, { 'x-debug': 'true' });
      const { imps, unread } = JSON.parse(reply.headers['x-debug-info']!);
      expect([reply.status, imps[0].reason, unread.length]).toEqual([204, 'blocked', 20]); // unread entries block every campaign
    }
    const wrong = toNative([TITLE], { eventtrackers: many(3_000, () => ({ event: 0 })) });
    const { status, body } = await ask({ imp: many(10, (id) => imp({ id: `${id}`, native: wrong })) });
    expect([status, body.details.length, body.details[0].path]).toEqual([
      400,
      100,
      'imp.0.native.request.eventtrackers.0.event',
    ]);
  });

  it('is accepted if it contains more than is read', async () => {
    const { word, ask } = await openMarket();
    const content = {
      title: `Where to buy a ${word}`,
      keywords: 'music,'.repeat(1_000),
      kwarray: Array.from({ length: 101 }, () => 'music'),
    };
    expect((await ask({ ext: undefined, site: { content } })).status).toBe(200);
    const ver = async (stated: number) =>
      JSON.parse((await ask({ imp: [imp({ native: toNative([TITLE], { ver: stated }) })] })).body.seatbid[0].bid[0].adm)
        .ver;
    expect([await ver(1), await ver(1.1), await ver(1.2)]).toEqual(['1.0', '1.1', '1.2']);
    expect((await ask({ device: { geo: { country: 'United States' } } })).status).toBe(200);
  });

  it('gets no http picture on a secure page', async () => {
    const creative = { ...runningShoes().creative, imageUrl: 'http://shoes.example/i.png' };
    const { ask } = await openMarket({ campaign: { creative } });
    const getAssets = async (required: 0 | 1, secure?: 0 | 1) => {
      const native = toNative([TITLE, { id: 2, required, img: { type: 3 } }]);
      const { body } = await ask({ imp: [imp({ native, secure })] });
      return body && JSON.parse(body.seatbid[0].bid[0].adm).assets.length;
    };
    expect([await getAssets(0), await getAssets(1, 0), await getAssets(0, 1), await getAssets(1, 1)]).toEqual([
      2,
      2,
      1,
      undefined,
    ]);
  });

  it("stores nothing about a user who opts out, in any OpenRTB version's field", async () => {
    const { getBid } = await openMarket();
    const getOptOut = async (more: object) => {
      const { id } = await getBid(more);
      return (await service.stack.effects.db.get('bids', { id }))?.optOut ?? false;
    };
    const [sold, kept] = ['DBABBg~BAQAAABA.QA', 'DBABBg~BAgAAABA.QA'];
    const consent = 'CQuFeUAQuFeUAAfAAAENAAFgAMAAAAAAAAAAAAAAAAAA';
    for (const more of [
      { regs: { gpp: sold, gpp_sid: [8] } },
      { regs: { ext: { gpp: sold, gpp_sid: [8] } } },
      { regs: { ext: { us_privacy: '1YYN' } } },
      { regs: { gdpr: 1 } },
      { regs: { ext: { gdpr: 1 } }, user: { ext: { consent: 'x'.repeat(60_000) } } },
      { regs: { us_privacy: '1YNN and more than that' } },
      { regs: { us_privacy: '', ext: { us_privacy: '1YYN' } } },
      { regs: { us_privacy: '1YNN', ext: { us_privacy: '1YYN' } } },
      { user: { consent: '', ext: { consent: 'garbage' } } },
      { user: { consent, ext: { consent: 'garbage' } } },
      { regs: { gpp_sid: [], ext: { gpp_sid: [7] } } },
      { regs: { gdpr: 0, ext: { gdpr: 1 } } },
      { regs: { gpc: 1 } },
      { regs: { ext: { gpc: '1' } } },
      { regs: { gpc: '0', ext: { gpc: 1 } } },
    ])
      expect(await getOptOut(more), JSON.stringify(more)).toBe(true);
    for (const more of [
      {},
      { regs: { gpp: kept } },
      { regs: { gpp: sold, gpp_sid: [-1] } },
      { regs: { gdpr: 1 }, user: { consent } },
      { regs: { ext: { gdpr: 1 } }, user: { ext: { consent } } },
      { regs: { gdpr: 1, ext: { us_privacy: '' } }, user: { consent, ext: { consent: '' } } },
      { regs: { gpc: 0, ext: { gpc: '0' } } },
      { regs: { gpc: '', ext: { gpc: null } } },
    ])
      expect(await getOptOut(more), JSON.stringify(more)).toBe(false);
  });

  it("reads countries as alpha-3, the device's first", async () => {
    const { ask, campaign } = await openMarket();
    await service.user()('PATCH', `/campaigns/${campaign.id}`, { targetAudience: { countries: ['DE', 'XK'] } });
    const status = async (request: object) => (await ask(request)).status;
    const geo = (country: string) => ({ geo: { country } });
    expect(await status({ device: geo('DEU') })).toBe(200);
    expect(await status({ user: geo('deu') })).toBe(200);
    expect(await status({ device: geo('XKX') })).toBe(200);
    expect(await status({ device: geo('FRA'), user: geo('DEU') })).toBe(204);
    expect(await status({ device: geo('DE') })).toBe(204);
  });

  it('reads the page without a conversation, and blocks and returns categories in the requested taxonomy', async () => {
    const key = await service.key();
    await service.campaign({
      targetAudience: { keywords: ['accordion lessons', 'piano lessons'], categories: ['Music'] },
    });
    const creative = { headline: 'Glorbix', landingUrl: 'https://glorbix.example/' };
    await service.campaign({ targetAudience: { keywords: ['glorbix'] }, creative, maxCpb: 2 });
    const ask = (content: object, more: object = {}) =>
      service.call('POST', '/api/v1/openrtb2/bid', {
        headers: { 'x-api-key': key },
        body: { id: 'r', imp: [imp()], site: { content }, ...more },
      });
    const piano = { title: 'How to choose piano lessons', keywords: 'piano lessons,beginners' };
    const [bid] = (await ask(piano)).body.seatbid[0].bid;
    expect([bid.cat, bid.cattax]).toEqual([['IAB1-6'], 1]);
    const statedFor = async (content: object, cattax: number) => {
      const [one] = (await ask(content, { cattax })).body.seatbid[0].bid;
      return [one.cat, one.cattax];
    };
    expect(await statedFor(piano, 9)).toEqual([['338'], 9]);
    expect(await statedFor(piano, 3)).toEqual([['338'], 9]); // products, not content
    for (const block of [{ bcat: ['IAB1-6'] }, { bcat: [' IAB7, iab1 '] }, { bcat: ['338'], cattax: 7 }])
      expect((await ask(piano, block)).status, JSON.stringify(block)).toBe(204);
    expect((await ask(piano, { bcat: ['IAB25-3'] })).status).toBe(200); // a category without a mapping blocks only uncategorized campaigns
    const [music, other] = [{ acat: ['IAB7', 'IAB1'] }, { acat: ['IAB7'] }];
    expect((await ask(piano, music)).status).toBe(200);
    for (const allowed of [other, { acat: ['IAB25-3'] }, { acat: ['IAB1'], cattax: 3 }, { ...music, bcat: ['IAB1-6'] }])
      expect((await ask(piano, allowed)).status, JSON.stringify(allowed)).toBe(204);
    expect((await ask(piano, { acat: ['338'], cattax: 7 })).status).toBe(200);
    const polish = { title: 'Where to buy glorbix' };
    for (const allowed of [music, { acat: ['IAB25-3'] }]) expect((await ask(polish, allowed)).status).toBe(204);
    expect((await ask(polish, { acat: [] })).status).toBe(200);
    expect(await statedFor(polish, 2)).toEqual([undefined, 2]);
    expect((await ask(polish)).status).toBe(200);
    expect((await ask(polish, { bcat: ['IAB7', ''] })).status).toBe(200);
    expect((await ask(polish, { bcat: ['IAB25-3'] })).status).toBe(204);
  });

  it('maps categories that editions 2.0 to 2.2 of the taxonomy lack or have elsewhere', async () => {
    const { ask, getBid } = await openMarket({
      campaign: { targetAudience: { keywords: ['gala tickets'], categories: ['Events'] } },
    });
    const gala = (more: object) => ({ ext: toExt('Where do I buy gala tickets?'), ...more });
    const stated = async (cattax: number) => {
      const { cat, ...bid } = await getBid(gala({ cattax }));
      return [cat, bid.cattax];
    };
    const first = await stated(9); // sequentially: in a Worker, the others would not wait for the campaigns that this one reads
    expect([first, ...(await Promise.all([7, 6, 5, 2].map(stated)))]).toEqual([
      [['8VZQHL'], 9],
      [['8VZQHL'], 7],
      [undefined, 6],
      [undefined, 5],
      [undefined, 2],
    ]);
    const awards = await openMarket({
      campaign: { targetAudience: { keywords: ['award dinner'], categories: ['Awards Shows'] } },
    });
    const dinner = (more: object) => ({ ext: toExt('Where do I book an award dinner?'), ...more });
    const { status } = await awards.ask(dinner({ bcat: ['150'], cattax: 9 }));
    expect([status, (await awards.ask(dinner({ bcat: ['150'], cattax: 2 }))).status]).toEqual([200, 204]);
    expect((await awards.getBid(dinner({ cattax: 2 }))).cat).toEqual(['162']);
    expect((await ask(gala({ bcat: ['8VZQHL'], cattax: 7 }))).status).toBe(204);
  });

  it('gets a description cut between words, also in scripts without spaces', async () => {
    const description =
      '初心者の方でも安心してお使いいただける琴です。職人が一本ずつ丁寧に仕上げ、音を確かめてからお届けします。';
    const shop = await openMarket({ campaign: { creative: { ...runningShoes().creative, description } } });
    const native = toNative([TITLE, { id: 1, required: 1, data: { type: 2, len: 30 } }]);
    const { assets } = JSON.parse(
      (
        await shop.getBid({
          imp: [imp({ native })],
          ext: toExt(`${shop.word} を買いたいです。どこで買えますか？`),
        })
      ).adm,
    );
    const { value } = assets[1].data;
    expect([description.startsWith(value.slice(0, -1)), value.at(-1)]).toEqual([true, '…']);
    expect(value.length).toBeGreaterThan(20);
    expect(value.length).toBeLessThanOrEqual(30);
  });

  it('is rejected with the path and message of each fault', async () => {
    const { ask } = await openMarket();
    const faults = async (request: object) => {
      const { status, body } = await ask(request);
      expect([status, body.error, body.message]).toEqual([400, 'Bad Request', 'Validation failed']);
      return body.details.map(({ path }: { path: string }) => path);
    };
    expect(await faults({ id: undefined, imp: [] })).toEqual(['id', 'imp']);
    expect(await faults({ id: undefined, imp: [], tmax: 15 })).toEqual(['id', 'imp']); // independent of tmax
    expect(await faults({ imp: Array.from({ length: 11 }, () => imp()) })).toEqual(['imp']);
    expect(await faults({ imp: [imp({ native: { request: '{' } })] })).toEqual(['imp.0.native.request']);
    const assets = [{ id: 1, title: {} }];
    expect(await faults({ imp: [imp({ native: toNative(assets) })] })).toEqual([
      'imp.0.native.request.assets.0.title.len',
    ]);
    expect(await faults({ ext: { conversation: { messages: [{ role: 'system', content: 'x' }] } } })).toEqual([
      'ext.conversation.messages.0.role',
    ]);
    expect(await faults({ badv: 'a.example', bcat: ['IAB1', 1], cur: ['x'.repeat(257)] })).toEqual([
      'cur.0',
      'bcat.1',
      'badv',
    ]);
    for (const tmax of [-5, 1.5, 1e300, '15']) expect(await faults({ tmax }), `${tmax}`).toEqual(['tmax']);
    expect(await faults({ badv: Array.from({ length: 10_001 }, () => 'a.example') })).toEqual(['badv']);
    expect(await faults({ imp: [imp(), imp({ id: '2' }), imp()] })).toEqual(['imp.2.id']);
    const codes = Array.from({ length: 201 }, () => 'USD');
    expect(await faults({ cur: codes, wlang: codes, imp: [imp({ bidfloor: 1_000_000.5 })] })).toEqual([
      'imp.0.bidfloor',
      'cur',
      'wlang',
    ]);
    expect(await faults({ regs: { gpc: 2, ext: { gpc: 'yes', coppa: 2 } } })).toEqual([
      'regs.gpc',
      'regs.ext.coppa',
      'regs.ext.gpc',
    ]);
    for (const version of ['3.0', '2.6-2023', '2.6 ,', 'x2.6']) {
      const { body, headers } = await ask({}, { 'x-openrtb-version': version });
      expect([body.details[0].path, headers['x-openrtb-version']]).toEqual(['x-openrtb-version', '2.6']);
    }
    const stranger = await ask({}, { 'x-api-key': 'nobody' });
    expect([stranger.status, stranger.headers['x-openrtb-version']]).toEqual([401, '2.6']);
  });

  it('may state a version with a date or none, and a tmax above the longest wait', async () => {
    const { ask } = await openMarket();
    for (const version of ['', '2.5', '2.6-202303'])
      expect((await ask({}, { 'x-openrtb-version': version })).status, version).toBe(200);
    for (const tmax of [60_000, 120_000, 3_000_000_000]) expect((await ask({ tmax })).status, `${tmax}`).toBe(200);
  });

  it('times out at tmax minus the network margin, and takes one place of the limit per impression', async () => {
    const { ask, key } = await openMarket();
    expect((await ask({ tmax: 20 })).status).toBe(204);
    expect(service.measured.at(-1)).toEqual({ name: 'NoBids.late', value: 1 });
    const { headers } = await ask({ tmax: 20 }, { 'x-debug': 'true' });
    expect(JSON.parse(headers['x-debug-info']!).reason).toBe('late');
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]); // the timeout came before authentication
    expect((await ask({ tmax: 21 })).status).toBe(200);
    service.clock.advance(1_000);
    const ten = { imp: Array.from({ length: 10 }, (_, index) => imp({ id: String(index) })) };
    const answers = await Promise.all(Array.from({ length: 22 }, () => ask(ten)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ headers }) => headers['x-openrtb-version'])).toEqual(['2.6', '2.6']);
    expect(answers.find(({ status }) => status === 429)!.headers).toMatchObject({
      'ratelimit-limit': '200',
      'retry-after': '1',
    });
    expect((await service.bid(key, 'hello')).status).toBe(200); // a separate limit
    service.clock.advance(1_000);
    expect((await ask({})).headers['ratelimit-remaining']).toBe('199');
  });
});
