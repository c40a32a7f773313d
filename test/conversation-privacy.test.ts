import { beforeAll, describe, expect, it } from 'vitest';
import { ASKING_WORDS } from '../infra/lexicon/asking-words.ts';
import { EVENT_TYPES } from '../shared/webhooks/events/types.ts';
import { useEventReceiver } from './event-receiver.ts';
import { createPublisher } from './functions/legacy/legacy.ts';
import { createExchange, imp, toExt } from './functions/openrtb2/exchange.ts';
import { contextMatchRequest, SELLER } from './functions/trusted-match/request.ts';
import { useServiceInMemory } from './memory/stack.ts';
import { runningShoes } from './service.ts';

// @module-tag whole
const service = useServiceInMemory();
const receiver = useEventReceiver();
const { sendNotice } = createExchange(service);

/** By language: a keyword, and a question that contains it with planted text between its words. */
const QUESTIONS: Readonly<Record<string, readonly [keyword: string, ask: (planted: string) => string]>> = {
  en: ['waterproof hiking boots', (x) => `Where can I buy waterproof ${x} hiking boots?`],
  de: ['wasserdichte Wanderstiefel', (x) => `Wo kann ich wasserdichte ${x} Wanderstiefel kaufen?`],
  fr: ['chaussures imperméables', (x) => `Où puis-je acheter des chaussures ${x} imperméables ?`],
  es: ['botas impermeables', (x) => `¿Dónde puedo comprar botas ${x} impermeables?`],
  it: ['scarponi impermeabili', (x) => `Dove posso comprare scarponi ${x} impermeabili?`],
  pt: ['botas impermeáveis', (x) => `Onde posso comprar botas ${x} impermeáveis?`],
  nl: ['waterdichte wandelschoenen', (x) => `Waar kan ik waterdichte ${x} wandelschoenen kopen?`],
  sv: ['vattentäta kängor', (x) => `Var kan jag köpa vattentäta ${x} kängor?`],
  da: ['vandtætte støvler', (x) => `Hvor kan jeg købe vandtætte ${x} støvler?`],
  no: ['vanntette fjellstøvler', (x) => `Hvor kan jeg kjøpe vanntette ${x} fjellstøvler?`],
  pl: ['nieprzemakalne trapery', (x) => `Gdzie mogę kupić nieprzemakalne ${x} trapery?`],
  cs: ['nepromokavé pohorky', (x) => `Kde mohu koupit nepromokavé ${x} pohorky?`],
  tr: ['sugeçirmez botlar', (x) => `Nereden sugeçirmez ${x} botlar satın alabilirim?`],
  ru: ['непромокаемые ботинки', (x) => `Где можно купить непромокаемые ${x} ботинки?`],
  uk: ['непромокальні черевики', (x) => `Де можна купити непромокальні ${x} черевики?`],
  bg: ['непромокаеми обувки', (x) => `Къде мога да купя непромокаеми ${x} обувки?`],
  ja: ['防水登山靴', (x) => `防水 ${x} 登山靴を買いたいのですが、おすすめはありますか`],
  zh: ['防水登山鞋', (x) => `我想买防水 ${x} 登山鞋，哪里有？`],
  ko: ['방수 등산화', (x) => `방수 ${x} 등산화 어디서 살 수 있나요? 추천해 주세요`],
  fi: ['vedenpitävät vaelluskengät', (x) => `Mistä voin ostaa vedenpitävät ${x} vaelluskengät?`],
  el: ['αδιάβροχα μποτάκια', (x) => `Πού μπορώ να αγοράσω αδιάβροχα ${x} μποτάκια;`],
  ro: [
    'bocanci impermeabili',
    (x) => `Aș dori să cumpăr niște bocanci ${x} impermeabili. Unde pot să găsesc un magazin?`,
  ],
  hu: ['vízálló túrabakancs', (x) => `Szeretnék venni egy jó vízálló ${x} túrabakancsot, de hol lehet kapni?`],
  ar: ['أحذية جبلية', (x) => `أين يمكنني شراء أحذية ${x} جبلية؟`],
  he: ['נעלי הליכה', (x) => `איפה אפשר לקנות נעלי ${x} הליכה?`],
  hi: ['वाटरप्रूफ जूते', (x) => `मैं वाटरप्रूफ ${x} जूते कहाँ खरीद सकता हूँ?`],
  th: ['รองเท้าเดินป่า', (x) => `อยากซื้อรองเท้า ${x} เดินป่า ซื้อที่ไหนดี`],
  vi: ['giày leo núi', (x) => `Tôi muốn mua giày ${x} leo núi ở đâu?`],
  ms: ['kasut mendaki', (x) => `Di mana saya boleh membeli kasut ${x} mendaki?`],
};
const LANGUAGES = Object.keys(QUESTIONS);

/** Names, numbers, and addresses. A keyword still matches with at most two words between its own. */
const PLANTS = ['Kowalska +48601234567', 'Żurawia 198.51.100.77', 'kowalska@plantedmail'];
const NEVER = /kowalska|48601234567|198\.51\.100|[zż]urawia|plantedmail/i;

const seen = (value: unknown): string => JSON.stringify(value) ?? '';

let key = '';
beforeAll(async () => {
  for (const user of ['alice', 'publisher']) {
    const hook = { url: receiver.url(`/${user}`), events: [...EVENT_TYPES] };
    expect((await service.user(user)('POST', '/webhooks', hook)).status).toBe(201);
  }
  for (const [language, [keyword]] of Object.entries(QUESTIONS)) {
    const targetAudience = { keywords: ['unsaid', keyword], languages: [language] };
    await service.campaign({ name: `Boots ${language}`, targetAudience, budget: 1_000 });
    service.clock.advance(1_000);
  }
  key = await service.key({ sellerAgentUrl: SELLER });
});

const debugOf = ({ body, headers }: Awaited<ReturnType<typeof service.call>>) =>
  body?.debug ?? JSON.parse(headers['x-debug-info']!);

/** The terms that explain the match of a campaign in a language. */
function termsOf(debug: { candidates: { name: string; matched: object[] }[] }, language: string): object[] {
  return debug.candidates.find(({ name }) => name === `Boots ${language}`)?.matched ?? [];
}

it('covers every language with known questions', () => {
  expect(LANGUAGES.toSorted()).toEqual(['en', ...Object.keys(ASKING_WORDS)].sort());
});

describe.each(LANGUAGES)('Text between the words of a keyword (%s)', (language) => {
  const [keyword, ask] = QUESTIONS[language]!;
  const shown = expect.objectContaining({ term: keyword, kind: 'keyword', message: 0 });

  it('is absent from every response and record of a bid, an ad, a click, and a conversion', async () => {
    for (const planted of PLANTS) {
      service.clock.advance(1_000);
      const headers = { 'x-api-key': key, 'x-debug': 'true' };
      const messages = [{ role: 'user', content: ask(planted) }];
      const bid = await service.call('POST', '/api/v1/ssp/bid', { headers, body: { countryCode: 'US', messages } });
      expect(termsOf(debugOf(bid), language)).toContainEqual(shown);
      expect(seen([bid.body, bid.headers])).not.toMatch(NEVER);
      const { bidId } = bid.body;
      const record = () => service.stack.effects.db.get('bids', { id: bidId });
      expect(seen(await record())).not.toMatch(NEVER);
      const ad = await service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers });
      expect(seen([ad.body, ad.headers])).not.toMatch(NEVER);
      expect((await record())?.terms).toMatchObject({ keywords: [keyword] });
      const click = await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'Mozilla/5.0' } });
      const clickId = new URL(click.headers.location!).searchParams.get('click_id');
      const conversion = await service.user()('POST', '/conversions', { clickId, conversionType: 'purchase' });
      expect(conversion.status).toBe(201);
      expect(seen([click, conversion, await record()])).not.toMatch(NEVER);
    }
  });

  it("is absent from every response and term of a legacy ad, an exchange's bid, and an offer", async () => {
    const planted = PLANTS[LANGUAGES.indexOf(language) % PLANTS.length]!;
    const content = ask(planted);
    service.clock.advance(1_000);
    const headers = { 'x-api-key': key, 'x-debug': 'true' };

    const legacy = createPublisher(service, key);
    const response = await legacy.request(`User: ${content}`, {}, { 'x-debug': 'true' });
    expect(termsOf(debugOf(response), language)).toContainEqual(shown);
    const { id } = response.body.ads[0];
    const tracked = [await legacy.impression(id), await legacy.click(id)];
    expect(tracked.map(({ status }) => status)).toEqual([200, 200]);
    expect(seen([response, tracked])).not.toMatch(NEVER);
    const { shown: kept, ...record } = (await service.stack.effects.db.get('bids', { id }))!;
    expect(kept?.conversation).toContain(ask(planted).slice(0, 5)); // the legacy contract stores the conversation, redacted
    expect(record.terms).toMatchObject({ keywords: [keyword] });
    expect(seen(record)).not.toMatch(NEVER);

    const offered = await service.call('POST', '/api/v1/openrtb2/bid', {
      headers: { ...headers, 'x-openrtb-version': '2.6' },
      body: { id: 'r1', imp: [imp()], ext: toExt(content) },
    });
    expect(termsOf(debugOf(offered).imps[0], language)).toContainEqual(shown);
    const [bid] = offered.body.seatbid[0].bid;
    expect((await sendNotice(bid.burl, '4')).status).toBe(204);
    const billed = await service.stack.effects.db.get('bids', { id: bid.id });
    expect(billed?.terms).toMatchObject({ keywords: [keyword] });
    expect(seen([offered, billed])).not.toMatch(NEVER);

    const body = contextMatchRequest({ summary: content });
    const offer = await service.call('POST', '/api/v1/trusted-match/context', { headers, body });
    expect(termsOf(debugOf(offer), language)).toContainEqual(shown);
    expect(seen(offer)).not.toMatch(NEVER);
  });
});

describe('The planted text', () => {
  it.each(['en', 'de', 'ja'])(
    'is absent from previews, which show where the keyword was found (%s)',
    async (language) => {
      const [keyword, ask] = QUESTIONS[language]!;
      const { name: _, ...draft } = runningShoes();
      const campaign = { ...draft, targetAudience: { keywords: ['unsaid', keyword], languages: [language] } };
      for (const planted of PLANTS) {
        service.clock.advance(1_000);
        const content = ask(planted);
        const body = { campaign, messages: [{ role: 'user', content }] };
        const tried = await service.user('advertiser')('POST', '/campaigns/preview', body);
        const term = tried.body.match.matched.find((one: { kind: string }) => one.kind === 'keyword');
        const matched = term.positions.map(({ start, end }: { start: number; end: number }) =>
          content.slice(start, end),
        );
        expect([term.term, matched.join(keyword.includes(' ') ? ' ' : '')]).toEqual([keyword, keyword]);
        expect(seen(tried)).not.toMatch(NEVER);
      }
    },
  );

  it('is absent from events, except as the context of a legacy ad, and from the log', async () => {
    await service.stack.drain();
    const events = receiver.received.map(({ event: { data, ...event } }) => {
      const { context, ...others } = data;
      return { ...event, data: others };
    });
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['ad.impression', 'ad.click', 'ad.conversion', 'campaign.created']),
    );
    expect(seen(events)).not.toMatch(NEVER);
    expect(service.lines.length).toBeGreaterThan(LANGUAGES.length * PLANTS.length);
    expect(service.lines.join('\n')).not.toMatch(NEVER);
  });
});

describe('A lexicon phrase', () => {
  it('is shown as the lexicon spells it, without the text between its words', async () => {
    const targetAudience = { keywords: ['airline tickets'] };
    const { id } = await service.campaign({ name: 'Flights', targetAudience });
    for (const planted of PLANTS) {
      service.clock.advance(1_000);
      const messages = [{ role: 'user', content: `I want to book a ${planted} flight to Denver` }];
      const headers = { 'x-api-key': key, 'x-debug': 'true' };
      const bid = await service.call('POST', '/api/v1/ssp/bid', { headers, body: { countryCode: 'US', messages } });
      const { matched } = debugOf(bid).candidates.find((one: { campaignId: string }) => one.campaignId === id);
      expect(matched).toContainEqual(expect.objectContaining({ term: 'book flight', kind: 'phrase' }));
      const record = await service.stack.effects.db.get('bids', { id: bid.body.bidId });
      expect(record?.terms).toMatchObject({ phrases: expect.arrayContaining(['book flight']) });
      expect(seen([bid, record])).not.toMatch(NEVER);
    }
  });
});
