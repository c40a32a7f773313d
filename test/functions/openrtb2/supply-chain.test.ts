import { describe, expect, it } from 'vitest';
import { getItemSize } from '../../../shared/platform/item-size.ts';
import { useEventReceiver } from '../../event-receiver.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createExchange, toNative } from './exchange.ts';

// @module-tag whole
const service = useServiceInMemory();
const receiver = useEventReceiver();
const { openMarket, sendNotice } = createExchange(service);
type Exchange = Awaited<ReturnType<typeof openMarket>>;

const FIRST = { asi: 'first.example', sid: '1', hp: 1 };
const LAST = { asi: 'exchange.example', sid: 'pub-1234', rid: 'r', name: 'Chat Inc.', domain: 'chat.example', hp: 1 };
const CHAIN = { ver: '1.0', complete: 1, nodes: [FIRST, LAST] };
const KEPT = { complete: 1, asi: 'exchange.example', sid: 'pub-1234' };

/** The supply chain that the record of a bid has for a request. */
async function getStored({ getBid }: Pick<Exchange, 'getBid'>, source: unknown) {
  service.clock.advance(1_000);
  const { id } = await getBid({ source });
  return (await service.stack.effects.db.get('bids', { id }))?.schain;
}

describe('A supply chain', () => {
  it('is stored with the bid: its completeness and its last node', async () => {
    const market = await openMarket();
    expect(await getStored(market, { schain: CHAIN, tid: 't' })).toEqual(KEPT);
    expect(await getStored(market, { schain: { ...CHAIN, complete: 0 } })).toEqual({ ...KEPT, complete: 0 });
    expect(await getStored(market, { schain: { ...CHAIN, nodes: [] } })).toEqual({ complete: 1 });
    expect(await getStored(market, { fd: 0 })).toBeUndefined();
    expect(await getStored(market, null)).toBeUndefined();
  });

  it('is also read where OpenRTB 2.5 has it, unless the other place has a readable one', async () => {
    const market = await openMarket();
    const old = { ...CHAIN, nodes: [{ asi: 'old.example', sid: '5' }] };
    const kept = { complete: 1, asi: 'old.example', sid: '5' };
    expect(await getStored(market, { ext: { schain: old } })).toEqual(kept);
    expect(await getStored(market, { schain: CHAIN, ext: { schain: old } })).toEqual(KEPT);
    expect(await getStored(market, { schain: {}, ext: { schain: old } })).toEqual(kept);
  });

  it('that is malformed counts as absent, and costs no bid', async () => {
    const market = await openMarket();
    const chains = [null, 7, 'x', true, [], [CHAIN], {}, { ...CHAIN, complete: '1' }, { ...CHAIN, complete: 2 }];
    for (const schain of chains) expect(await getStored(market, { schain }), JSON.stringify(schain)).toBeUndefined();
    for (const source of [7, 'x', true, [], [{ schain: CHAIN }]])
      expect(await getStored(market, source), JSON.stringify(source)).toBeUndefined();
    for (const ext of [null, 7, 'x', []]) {
      expect(await getStored(market, { ext }), JSON.stringify(ext)).toBeUndefined();
      expect(await getStored(market, { schain: CHAIN, ext })).toEqual(KEPT);
    }
    for (const nodes of [null, 7, {}, 'x', [null], [7], [[]], [LAST, { asi: 'a.example' }], [{ asi: 7, sid: 7 }]])
      expect(await getStored(market, { schain: { ...CHAIN, nodes } })).toEqual({ complete: 1 });
  });

  it('has no last node that is longer than 200 bytes, empty, or not ASCII, instead of a part of it', async () => {
    const market = await openMarket();
    const withNode = (asi: string, sid: string) => ({ schain: { ...CHAIN, nodes: [FIRST, { asi, sid }] } });
    const [asi, sid] = ['a'.repeat(100), '1'.repeat(100)];
    expect(await getStored(market, withNode(asi, sid))).toEqual({ complete: 1, asi, sid });
    for (const node of [
      [asi, `${sid}1`],
      ['', sid],
      [asi, ''],
      ['ü.example', '1'],
      ['a.example', '1\n'],
      [asi, '\ud800'],
    ])
      expect(await getStored(market, withNode(node[0]!, node[1]!))).toEqual({ complete: 1 });
  });

  it('is not listed among the ignored fields, unlike the rest of the source', async () => {
    const { ask } = await openMarket();
    const { headers } = await ask({ source: { schain: CHAIN, tid: 't', ext: { schain: CHAIN, omidpn: 'x' } } });
    expect(headers['x-ignored-fields']).toBe('source.tid, source.ext.omidpn');
  });

  it('is part of the impression for the owner of the key, and of nothing that the advertiser gets', async () => {
    for (const user of ['alice', 'publisher'])
      await service.user(user)('POST', '/webhooks', {
        url: receiver.url(`/${user}`),
        events: ['ad.impression', 'ad.click'],
      });
    const { getBid } = await openMarket();
    const { burl } = await getBid({ source: { schain: CHAIN } });
    await sendNotice(burl, '1');
    await service.stack.drain();
    const [own] = receiver.at('/publisher', 'ad.impression');
    const [other] = receiver.at('/alice', 'ad.impression');
    expect(own!.event.data).toEqual({ ...other!.event.data, schain: KEPT });
    expect(other!.event.data).not.toHaveProperty('schain');
    expect(own!.event.id).toBe(other!.event.id);
    expect(service.lines.join()).not.toContain('pub-1234');
  });
});

describe('The record of an exchange’s bid', () => {
  /** The record with the longest values of every field, for owners with ids of some length. */
  async function issue(ownerLength: number) {
    service.clock.advance(1_000);
    const [advertiser, publisher] = ['a'.repeat(ownerLength), 'p'.repeat(ownerLength)];
    const keywords = Array.from({ length: 60 }, (_, i) => `${'alto saxophone and clarinet '.repeat(3)}${i}`);
    const landingUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`;
    const frequencyCap = { impressions: 3, per: 'conversation' };
    const creative = { headline: 'Sax', landingUrl };
    const { id } = await service.campaign({ targetAudience: { keywords }, creative, frequencyCap }, advertiser);
    const { body: key } = await service.user(publisher)('POST', '/auth/api-keys', { name: 'Longest' });
    const conversation = {
      id: 'c'.repeat(128),
      turn: 1,
      messages: [{ role: 'user', content: keywords.join(' and ') }],
    };
    const { body } = await service.call('POST', '/api/v1/openrtb2/bid', {
      headers: { 'x-api-key': key.key },
      body: {
        id: 'r',
        imp: [{ id: '1', native: toNative(), bidfloor: 1.234567 }],
        source: { schain: { ...CHAIN, nodes: [{ asi: 'a'.repeat(100), sid: '1'.repeat(100) }] } },
        device: { geo: { country: 'USA' } },
        ext: { conversation, variant: 'v'.repeat(64) },
      },
    });
    await service.user(advertiser)('DELETE', `/campaigns/${id}`);
    return (await service.stack.effects.db.get('bids', { id: body.seatbid[0].bid[0].id }))!;
  }

  it('stays within 1 KB with the longest values, and keeps the last node if there is room for it', async () => {
    const [usual, longest] = [await issue(36), await issue(128)];
    expect(usual.schain).toEqual({ complete: 1, asi: 'a'.repeat(100), sid: '1'.repeat(100) });
    expect(longest.schain).toEqual({ complete: 1 });
    for (const record of [usual, longest]) expect(getItemSize(record)).toBeLessThanOrEqual(1024);
  });
});
