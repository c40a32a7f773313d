import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
let server: Server;
let base: string;

beforeAll(async () => {
  server = createGateway(service.stack.apps);
  base = `http://127.0.0.1:${await listen(server, 0)}/api/v1`;
});
afterAll(() => void server?.close());

/** The word for shoes, or a similar one, in thirty scripts. */
const SCRIPTS = {
  Latin: 'chaussure-été',
  Greek: 'παπούτσια',
  Cyrillic: 'обувь',
  Armenian: 'կոշիկ',
  Hebrew: 'נעליים',
  Arabic: 'أحذية',
  Syriac: 'ܡܣܢܐ',
  Thaana: 'ބޫޓު',
  NKo: 'ߛߊߡߊߘߊ',
  Devanagari: 'जूते',
  Bengali: 'জুতা',
  Gurmukhi: 'ਜੁੱਤੀ',
  Gujarati: 'પગરખાં',
  Oriya: 'ଜୋତା',
  Tamil: 'காலணி',
  Telugu: 'బూట్లు',
  Kannada: 'ಬೂಟು',
  Malayalam: 'ചെരുപ്പ്',
  Sinhala: 'සපත්තු',
  Thai: 'รองเท้า',
  Lao: 'ເກີບ',
  Tibetan: 'ལྷམ',
  Myanmar: 'ဖိနပ်',
  Georgian: 'ფეხსაცმელი',
  Hangul: '신발',
  Ethiopic: 'ጫማ',
  Khmer: 'ស្បែកជើង',
  Mongolian: 'ᠭᠤᠲᠤᠯ',
  Han: '跑鞋',
  Kana: 'くつシューズ',
  Gothic: '𐍃𐌺𐍉𐌷𐍃',
  Emoji: '👟',
};

const json = { 'content-type': 'application/json' };
const post = (path: string, headers: object, body: unknown) =>
  fetch(base + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

async function create(word: string, landingUrl: string, imageUrl = ''): Promise<{ id: string; creative: object }> {
  const creative = { headline: word, landingUrl, imageUrl };
  const campaign = {
    name: word,
    status: 'active',
    budget: 1,
    bidStrategy: 'manual',
    targetAudience: { keywords: [word] },
  };
  const answer = await post('/campaigns', { 'x-user-id': 'alice' }, { ...campaign, creative });
  expect(answer.status, landingUrl).toBe(201);
  return (await answer.json()) as { id: string; creative: object };
}

/** The redirect target of an ad for a word, over HTTP. */
async function follow(word: string): Promise<{ location: string | null; bidId: string }> {
  service.clock.advance(1000);
  const headers = { 'x-api-key': await service.key() };
  const messages = [{ role: 'user', content: word }];
  const { bidId } = (await (await post('/ssp/bid', headers, { countryCode: 'US', messages })).json()) as {
    bidId: string;
  };
  await fetch(`${base}/ssp/ad/${bidId}`, { headers });
  const click = await fetch(`${base}/click/${bidId}`, { redirect: 'manual' });
  expect(click.status).toBe(302);
  return { location: click.headers.get('location'), bidId };
}

const ASCII = /^[\x21-\x7e]+$/;

describe('The redirect to a landing page', () => {
  it.each(Object.entries(SCRIPTS))('is ASCII for a URL in %s', async (script, name) => {
    const word = `landoom${script.toLowerCase()}`;
    const typed = `https://shop.example/${name}?q=${name}#${name}`;
    const { creative } = await create(word, typed, typed);
    expect(creative).toMatchObject({ landingUrl: new URL(typed).href, imageUrl: new URL(typed).href });
    const { location, bidId } = await follow(word);
    expect(location).toMatch(ASCII);
    const { pathname, searchParams, hash } = new URL(location!);
    expect([pathname, hash].map(decodeURIComponent)).toEqual([`/${name}`, `#${name}`]);
    expect([...searchParams]).toEqual([
      ['q', name],
      ['click_id', `clk_${bidId.replaceAll('-', '')}`],
    ]);
  });

  it('keeps a URL with spaces and redirects with %20', async () => {
    const typed = ' https://shop.example/running shoes?q=trail 10k#wide fit ';
    const written = 'https://shop.example/running%20shoes?q=trail%2010k#wide%20fit';
    const { creative } = await create('landoomspaces', typed, typed);
    expect(creative).toMatchObject({ landingUrl: written, imageUrl: written });
    const { location } = await follow('landoomspaces');
    expect(location).toMatch(/^https:\/\/shop\.example\/running%20shoes\?q=trail%2010k&click_id=clk_\w+#wide%20fit$/);
  });

  it('uses Punycode for a host in another script', async () => {
    await create('landoomhost', 'https://Bücher.例え.example');
    expect((await follow('landoomhost')).location).toMatch(
      /^https:\/\/xn--bcher-kva\.xn--r8jz45g\.example\/\?click_id=/,
    );
  });

  it('is ASCII for a URL that an earlier version stored as typed', async () => {
    const { id } = await create('landoomstored', 'https://old.example/');
    const { db } = service.stack.effects;
    const typed = 'https://old.example/跑鞋\u0001?q=ü#\u007f';
    const key = { owner: 'alice', item: `campaign#${id}` };
    const update = 'SET #creative = :creative';
    const creative = { headline: 'Old', landingUrl: typed, imageUrl: typed };
    await db.write({ table: 'campaigns', key, update, values: { creative } });
    const answer = await fetch(`${base}/campaigns/${id}`, { headers: { 'x-user-id': 'alice' } });
    expect(await answer.json()).toMatchObject({ creative: { landingUrl: new URL(typed).href } });
    expect((await follow('landoomstored')).location).toMatch(
      /^https:\/\/old\.example\/%E8%B7%91%E9%9E%8B%01\?q=%C3%BC&click_id=clk_[0-9a-f]{32}#%7F$/,
    );
  });

  it('is ASCII for an ad that an earlier version served', async () => {
    await create('landoomserved', 'https://old.example/');
    const { bidId } = await follow('landoomserved');
    const { db } = service.stack.effects;
    const creative = { landingUrl: 'https://old.example/跑鞋' };
    await db.write({
      table: 'bids',
      key: { id: bidId },
      update: 'SET #creative = :creative',
      values: { creative },
    });
    const click = await fetch(`${base}/click/${bidId}`, { redirect: 'manual' });
    expect([click.status, click.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/old\.example\/%E8%B7%91%E9%9E%8B\?click_id=clk_/),
    ]);
  });
});
