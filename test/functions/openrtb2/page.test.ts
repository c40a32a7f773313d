import { beforeAll, describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { contextMatchRequest, SELLER } from '../trusted-match/request.ts';

// @module-tag whole
const service = useServiceInMemory();

const NATIVE = { request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 90 } }] }) };
const creative = (headline: string, domain: string) => ({ headline, landingUrl: `https://${domain}.example/` });

let key: string;
let campaigns: Record<string, string>;
beforeAll(async () => {
  key = await service.key({ sellerAgentUrl: SELLER });
  const make = async (name: string, targetAudience: object) =>
    [(await service.campaign({ targetAudience, creative: creative(`Our ${name}`, name) })).id, name] as const;
  campaigns = Object.fromEntries([
    await make('cards', { keywords: ['credit card', 'cash back card'] }),
    await make('rackets', { keywords: ['tennis racket'] }),
    await make('clinic', { keywords: ['cancer clinic'] }),
    await make('wine', { keywords: ['red wine'] }),
    await make('casino', { keywords: ['online casino'] }),
    await make('funeral', { keywords: ['funeral home'] }),
    await make('kochkurse', { keywords: ['kochkurs', 'kochschule', 'rezepte'], languages: ['de'] }),
    await make('cookery', { keywords: ['cookery course', 'cooking lessons', 'recipes'], languages: ['en'] }),
  ]);
});

const within = (segtax: number, ...ids: string[]) => ({
  data: [{ ext: { segtax }, segment: ids.map((id) => ({ id })) }],
});

/** The campaign that wins on a page described only by this content, or the reason of the no-bid. */
async function boughtFor(content: object, more: object = {}): Promise<string> {
  service.clock.advance(1_000);
  const { status, headers, body } = await service.call('POST', '/api/v1/openrtb2/bid', {
    headers: { 'x-api-key': key, 'x-debug': 'true' },
    body: { id: 'r', imp: [{ id: '1', native: NATIVE }], site: { content }, ...more },
  });
  if (status === 200) return campaigns[body.seatbid[0].bid[0].cid] ?? 'unknown';
  return JSON.parse(headers['x-debug-info']!).imps[0].reason;
}

describe('A page whose title or segment has a long name', () => {
  const long = (start: string, length: number) => `${start} ${'-'.repeat(length)} tennis racket`;

  it('is read up to the limit; the rest is ignored', async () => {
    const named = (name: string) => ({ data: [{ ext: { segtax: 7 }, segment: [{ name }] }] });
    for (const content of [{ title: long('Which credit card', 1_024) }, named(long('Credit card', 512))])
      expect(await boughtFor(content)).toBe('cards');
    for (const content of [{ title: long('A walk', 1_024) }, named(long('A walk', 512))])
      expect(await boughtFor(content)).toMatch(/^no_/);
  });
});

describe('A page described only by categories', () => {
  it.each([
    ['IAB13 of 1.0', { cat: ['IAB13'] }, 'cards'],
    ['Personal Finance of 3.0', { cat: ['391'], cattax: 7 }, 'cards'],
    ['Personal Finance as a segment', within(9, '391'), 'cards'],
    ['a category below it', { cat: ['406'], cattax: 9 }, 'cards'],
    ['IAB17, Sports', { cat: ['IAB17'] }, 'rackets'],
    ['Sports as a segment of 3.0', within(7, '483'), 'rackets'],
    [
      'Sports as a segment with its name',
      { data: [{ ext: { segtax: 7 }, segment: [{ id: '483', name: 'Sports' }] }] },
      'rackets',
    ],
  ])('gets a campaign with a topic in them or below: %s', async (_, content, bought) => {
    expect(await boughtFor(content)).toBe(bought);
  });

  it('gets no bid if no campaign has a matching topic or the taxonomy is unknown', async () => {
    for (const content of [{ cat: ['IAB16'] }, { cat: ['391'], cattax: 600 }, within(4, '391'), within(1_020, '483')])
      expect(await boughtFor(content), JSON.stringify(content)).toMatch(/^no_/);
  });

  it('gets no bid for sensitive, private, or adult categories, nor such a campaign for a wider category', async () => {
    for (const cat of ['380', '307', '308', '438', '187'])
      expect(await boughtFor({ cat: [cat], cattax: 9 }), cat).toBe('sensitive_context');
    for (const cat of ['IAB25', 'IAB26-1', 'IAB7-39'])
      expect(await boughtFor({ cat: [cat] }), cat).toBe('sensitive_context');
    for (const cat of ['314', '287', '524', '150', '211', '171', '433'])
      expect(await boughtFor({ cat: [cat], cattax: 9 }), cat).toMatch(/^no_|^below_threshold$/);
    expect(await boughtFor({ cat: ['483', '314'], cattax: 9 })).toMatch(/^no_|^below_threshold$/);
  });

  it('excludes ads in another language than the page', async () => {
    const food = { cat: ['IAB8'] };
    expect(await boughtFor({ ...food, language: 'de' })).toBe('kochkurse');
    expect(await boughtFor({ ...food, langb: 'en-GB' })).toBe('cookery');
    expect(await boughtFor({ ...food, language: 'fr' })).toBe('language');
    expect(await boughtFor({ ...food, language: 'English' })).toMatch(/^(cookery|kochkurse)$/);
  });

  it('reports neither a conversation nor its language', async () => {
    const talk = (content: string) => ({ ext: { conversation: { messages: [{ role: 'user', content }] } } });
    expect(await boughtFor({ cat: ['IAB17'] }, talk('Hello, how are you today?'))).toBe('no_commercial_context');
    expect(await boughtFor({ language: 'de' }, talk('Which tennis racket should I buy?'))).toBe('rackets');
  });

  it('is read by its words if it has any', async () => {
    expect(await boughtFor({ cat: ['IAB17'], title: 'How a credit card with cash back works' })).not.toBe('rackets');
  });
});

describe('A Context Match request described only by topics', () => {
  const offeredFor = async (signals: object, more: object = {}) => {
    const { body } = await service.call('POST', '/api/v1/trusted-match/context', {
      headers: { 'x-api-key': key },
      body: contextMatchRequest(signals, more),
    });
    return body.offers.map(({ package_id }: { package_id: string }) => campaigns[package_id]);
  };

  it('gets a campaign with a topic in them or below', async () => {
    expect(await offeredFor({ topics: ['391'] })).toEqual(['cards']);
    expect(await offeredFor({ topics: ['IAB17'], taxonomy_id: 1 })).toEqual(['rackets']);
  });

  it('gets no offer if the topics are sensitive or private, or the summary is about something else', async () => {
    for (const topic of ['380', '314', '307']) expect(await offeredFor({ topics: [topic] }), topic).toEqual([]);
    expect(await offeredFor({ topics: ['483'], summary: 'Thanks, that was all for today' })).toEqual([]);
    const artifact = {
      property_rid: 'p',
      artifact_id: 'a',
      assets: [{ type: 'text', content: 'Good morning to you!' }],
    };
    expect(await offeredFor({ topics: ['483'] }, { artifact })).toEqual([]);
  });
});
