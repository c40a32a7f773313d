import { describe, expect, it } from 'vitest';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { toTopicId } from '../../shared/matching/index.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createPublisher } from './legacy/legacy.ts';
import { createExchange, imp, toExt } from './openrtb2/exchange.ts';

// @module-tag whole
const service = useServiceInMemory();
const ASKED = 'Which mattress should I buy?';
const MATTRESSES = toTopicId('Home & Garden > Interior Decorating > Mattresses and Bedding');
const stored = (id: string) => service.stack.effects.db.get('bids', { id });

describe('The record of a bid', () => {
  it('names the topic by which the winner fits, the domain of its landing page, and the variant of the request', async () => {
    const key = await service.key();
    const creative = { headline: 'Beds', landingUrl: 'https://www.beds.example/buy' };
    await service.campaign({ targetAudience: { keywords: ['mattress'] }, creative });
    const { body } = await service.bid(key, ASKED, { variant: 'card-below' });
    const record = { topic: MATTRESSES, domain: 'beds.example', variant: 'card-below' };
    expect(await stored(body.bidId)).toMatchObject(record);
    const legacy = await createPublisher(service, await service.key()).request(ASKED, { variant: 'card-below' });
    expect(await stored(legacy.body.ads[0].id)).toMatchObject(record);
  });

  it('names the variant of an impression, or else of the request, in OpenRTB', async () => {
    const { ask, word } = await createExchange(service).openMarket();
    const ext = { ...toExt(`Where do I buy a ${word}?`), variant: 'request' };
    const getVariant = async (request: object) =>
      (await stored((await ask(request)).body.seatbid[0].bid[0].id))?.variant;
    expect(await getVariant({ ext })).toBe('request');
    expect(await getVariant({ ext, imp: [imp({ ext: { variant: 'impression' } })] })).toBe('impression');
    expect(await getVariant({ ext, regs: { gpc: 1 } })).toBeUndefined();
  });

  it('names neither topic nor variant after an opt-out, and no sensitive topic', async () => {
    const key = await service.key();
    await service.campaign({ targetAudience: { keywords: ['mattress'] } });
    const optedOut = await stored((await service.bid(key, ASKED, { variant: 'card', regs: { gpc: 1 } })).body.bidId);
    expect(optedOut).toMatchObject({ optOut: true, countryCode: 'US' });
    expect(optedOut).not.toHaveProperty('topic');
    expect(optedOut).not.toHaveProperty('variant');
    await service.campaign({ name: 'Wine', maxCpb: 9, targetAudience: { keywords: ['red wine'] } });
    const wine = await stored(
      (await service.bid(key, 'Which red wine goes with steak? I want to buy one.')).body.bidId,
    );
    expect(wine).toMatchObject({ price: 9_000_000 });
    expect(wine).not.toHaveProperty('topic');
    await service.campaign({ name: 'Quran', maxCpb: 9, targetAudience: { keywords: ['quran'] } });
    const quran = await stored((await service.bid(key, 'Where can I buy a quran?')).body.bidId);
    expect(quran).toMatchObject({ price: 9_000_000 });
    expect(quran).not.toHaveProperty('topic');
  });

  it('stays within 1 KB with the longest values', async () => {
    const keywords = Array.from({ length: 60 }, (_, i) => `${'alto saxophone and clarinet '.repeat(3)}${i}`);
    const landingUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`;
    await service.campaign(
      { targetAudience: { keywords }, creative: { headline: 'Sax', landingUrl } },
      'a'.repeat(128),
    );
    const { body } = await service.bid(await service.key(), keywords.join(' and '), { variant: 'v'.repeat(64) });
    const record = await stored(body.bidId);
    expect(record?.domain).toBe(`${'b'.repeat(56)}.example`);
    expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThanOrEqual(1024);
  });

  it('has no variant that reports use themselves, is too long, or is invisible', async () => {
    const key = await service.key();
    for (const variant of ['other', 'none', 'unattributed', '', ' ', 'ü'.repeat(33), 'a\nb', 7, '\ud800']) {
      const { status, body } = await service.bid(key, ASKED, { variant });
      expect([variant, status]).toEqual([variant, 400]);
      expect(JSON.stringify(body)).toContain('variant');
    }
    for (const variant of ['ü'.repeat(32), null, 'A/B test 7'])
      expect((await service.bid(key, ASKED, { variant })).status).toBe(200);
  });
});

it('gives every topic of the lexicon an id of its own', () => {
  const { topics } = getLexicon();
  expect(new Set(topics.map(toTopicId)).size).toBe(topics.length);
});
