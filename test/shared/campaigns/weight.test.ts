import { describe, expect, it } from 'vitest';
import { MAX_CAMPAIGN_BYTES } from '../../../shared/campaigns/weight.ts';
import {
  configure,
  findHeaviest,
  getWeight,
  HOSTILE,
  measureHeapPerCampaign,
  sharedByTwo,
} from '../../../tools/bench/hostile-campaigns.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { selectCases } from '../../run-size.ts';

// @module-tag whole
const service = useServiceInMemory();
const user = () => service.user();
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const tooHeavy = (field: string) =>
  new RegExp(`^${field} must be fewer or shorter, or .* would take [\\d.]+ KiB .* limit is 16 KiB$`);

/** Typical keyword combinations of an advertiser: quality, kind, product, place. */
const combined = (...lists: string[]) => {
  const words = lists.map((list) => list.split(','));
  return times(200, (index) =>
    words
      .map((list, place) => list[Math.floor(index / 5 ** place) % list.length]!)
      .join(lists[0]!.charCodeAt(0) > 0x2fff ? '' : ' '),
  ).map((keyword, index) => `${keyword} ${index % 7}`);
};

describe('200 keywords of ordinary length', () => {
  it.each([
    [
      'English',
      combined(
        'cheap,best,women,men,kids',
        'running,hiking,tennis,golf,trail',
        'shoes,boots,socks,jackets',
        'london,paris,rome',
      ),
    ],
    [
      'German',
      combined(
        'günstige,beste,bequeme,leichte,neue',
        'Laufschuhe,Wanderschuhe,Sandalen,Stiefel,Socken',
        'Damen,Herren,Kinder',
        'Berlin,Köln',
      ),
    ],
    [
      'Japanese',
      combined(
        '安い,新しい,軽い,丈夫な,人気の',
        'ランニング,登山,テニス,ゴルフ,通勤',
        'シューズ,靴下,ブーツ',
        '東京,大阪',
      ),
    ],
    ['Hindi', combined('सस्ते,नए,हल्के,मजबूत,अच्छे', 'दौड़ने,पहाड़,टेनिस,गोल्फ,दफ्तर', 'जूते,मोज़े,सैंडल', 'दिल्ली,मुंबई')],
    ['unknown brands', times(200, (index) => `Brandoom${index * 7919}`)],
  ])('are accepted, with 30 countries and 10 categories: %s', async (language, keywords) => {
    const countries = 'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL NO PL PT RO SE SI SK'.split(
      ' ',
    );
    const categories = times(10, (index) => `Style & Fashion ${index}`);
    const { status, body } = await user()('POST', '/campaigns', {
      name: `Ordinary ${language}`,
      targetAudience: { keywords, countries, categories },
    });
    expect([status, body.details]).toEqual([201, undefined]);
  });
});

describe('A campaign over the limit of 16 KiB of bidding memory', () => {
  it.each([
    ['three unique words each', 'targetAudience.keywords'],
    ['many short words', 'targetAudience.keywords'],
    ['single Han characters', 'targetAudience.keywords'],
    ['Han without spaces', 'targetAudience.keywords'],
    ['excluded keywords', 'targetAudience.excludedKeywords'],
    ['both lists', 'targetAudience.keywords'],
  ])('is rejected with its heaviest field: %s', async (kind, path) => {
    const { status, body } = await user()('POST', '/campaigns', { name: kind, ...HOSTILE[kind]!(200) });
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.details).toEqual([{ path, message: expect.stringMatching(tooHeavy(path.split('.')[1]!)) }]);
  });

  it('is rejected with the changed field', async () => {
    const keywords = times(200, (index) => `Wordoom${index}`);
    const { id } = (await user()('POST', '/campaigns', { name: 'Growing', targetAudience: { keywords } })).body;
    const categories = times(50, (index) => `${'Ж'.repeat(90)}${index}`);
    const { status, body } = await user()('PATCH', `/campaigns/${id}`, { targetAudience: { categories } });
    expect([status, body.details[0].path]).toEqual([400, 'targetAudience.categories']);
  });

  it('keeps serving and accepts changes if it was stored before the limit existed, but cannot grow', async () => {
    const body = { name: 'Heavy', targetAudience: { keywords: ['heavyoom'] } };
    const { id } = await service.campaign(body);
    const { targetAudience, placement } = (await untyped(service.stack.effects.db).get('campaigns', {
      owner: 'alice',
      item: `campaign#${id}`,
    }))!;
    const words = times(600, (index) => `weightoom${index}`);
    await service.stack.effects.db.write({
      table: 'campaigns',
      key: { owner: 'alice', item: `campaign#${id}` },
      update: 'SET #targetAudience = :targetAudience, #placement = :placement, #changedAt = :now, #version = :version',
      values: {
        targetAudience: {
          ...targetAudience,
          keywords: ['heavyoom', ...times(150, (i) => words.slice(4 * i, 4 * i + 4).join(' '))],
        },
        placement: {
          ...placement,
          k: `heavyoom|${times(150, (i) => words.slice(4 * i, 4 * i + 4).join(' ')).join('|')}`,
        },
        now: service.clock.now(),
        version: 2,
      },
    });
    expect((await service.bid(await service.key(), 'heavyoom')).body).toMatchObject({ bid: expect.any(Number) });

    const change = (more: object) => user()('PATCH', `/campaigns/${id}`, more);
    const whole = (await user()('GET', `/campaigns/${id}`)).body;
    const { keywords } = whole.targetAudience;
    expect((await change({ budget: 20 })).status).toBe(200);
    expect((await change(whole)).status).toBe(200);
    expect((await change({ targetAudience: { keywords: keywords.slice(1) } })).status).toBe(200);
    const heavier = await change({ targetAudience: { keywords: [...keywords, 'another'] } });
    expect([heavier.status, heavier.body.message]).toEqual([400, expect.stringMatching(tooHeavy('keywords'))]);
    expect((await change({ targetAudience: { excludedKeywords: ['used'] } })).body.details[0].path).toBe(
      'targetAudience.excludedKeywords',
    );
  });
});

describe('The heaviest accepted campaign of its kind', () => {
  it.each(Object.entries(HOSTILE))('weighs at most 16 KiB: %s', (_, make) => {
    const count = findHeaviest(make);
    expect(getWeight(configure(make(count)))).toBeLessThanOrEqual(MAX_CAMPAIGN_BYTES);
    if (count < 200) expect(getWeight(configure(make(count + 5)))).toBeGreaterThan(MAX_CAMPAIGN_BYTES);
  });

  it.each(
    selectCases([
      ['unique words', false],
      ['unique words', true],
      ['three unique words each', false],
      ['both lists', false],
      ['countries', false],
    ]),
  )('uses at most 16 KiB of heap after garbage collection: %s, shared by two: %s', (kind, isShared) => {
    const make = HOSTILE[kind]!;
    const size = findHeaviest(make);
    const body = isShared ? sharedByTwo(make) : make;
    expect(measureHeapPerCampaign(60, () => body(size))).toBeLessThanOrEqual(MAX_CAMPAIGN_BYTES);
  });
});
