import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildMatchingProfile,
  findTopicsByName,
  hasAnyTopic,
  MatchIndex,
  toRelativeThreshold,
} from '../../../../shared/matching/index.ts';
import { scaleRuns } from '../../../run-size.ts';
import { audience, MARKET, open, talk, testLexicon } from '../helpers.ts';

const CONVERSATIONS = [
  'cheap flights to rome',
  'any hotel deals near the airport?',
  'dog food for my puppy',
  'running shoes or sneakers, which should i buy',
  'gift card for a chef knife',
].map((text) => talk(text));

const bid = () => 700_000;
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const answers = (index: MatchIndex) =>
  CONVERSATIONS.map((messages) =>
    index.match(messages, { bid }).candidates.map(({ id, outcome, relevance }) => ({ id, outcome, relevance })),
  ).map((candidates) => candidates.sort((a, b) => (a.id < b.id ? -1 : 1)));

describe('A matching profile', () => {
  it.each(['the', 'a an the', '', '!!!', '\ud800', '\u200b'])('accepts keywords without content: %j', (keyword) => {
    const profile = buildMatchingProfile(audience([keyword], { excludedKeywords: [keyword] }), testLexicon);
    expect(profile).toMatchObject({ k: '', x: '', t: [] });
    const index = new MatchIndex(testLexicon);
    index.set('empty', profile, 1_000_000);
    expect(index.match(talk('the best hotel'), { bid }).candidates).toEqual([]);
  });
});

describe('MatchIndex', () => {
  it('answers after any changes in place like a newly built index', { tags: 'whole' }, () => {
    const ids = Object.keys(MARKET);
    const change = fc.record({
      id: fc.constantFrom(...ids),
      like: fc.constantFrom(...ids),
      ceiling: fc.constantFrom(500_000, 1_000_000, 2_000_000),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const index = new MatchIndex(testLexicon);
        const final = new Map<string, [string, number]>();
        for (const { id, like, ceiling, remove } of changes) {
          if (remove) {
            index.delete(id);
            final.delete(id);
          } else {
            index.set(id, buildMatchingProfile(MARKET[like]!, testLexicon), ceiling);
            final.set(id, [like, ceiling]);
          }
        }
        const rebuilt = new MatchIndex(testLexicon);
        for (const [id, [like, ceiling]] of final)
          rebuilt.set(id, buildMatchingProfile(MARKET[like]!, testLexicon), ceiling);
        expect(index.size).toBe(final.size);
        expect(answers(index)).toEqual(answers(rebuilt));
      }),
      { numRuns: scaleRuns(100), seed: 7 },
    );
  });

  it('finds the best bid among thousands that share a keyword', () => {
    const index = new MatchIndex(testLexicon);
    const ceiling = (i: number) => 1_000 * ((i * 7919) % 5000);
    const profile = buildMatchingProfile(audience(['running shoes']), testLexicon);
    for (let i = 0; i < 5000; i++) index.set(`c${i}`, profile, ceiling(i));
    const { candidates } = index.match(talk('i want to buy running shoes'), {
      bid: (id) => ceiling(Number(id.slice(1))),
    });
    expect(candidates.map((candidate) => candidate.bid)).toEqual(
      Array.from({ length: 20 }, (_, i) => 4_999_000 - 1_000 * i),
    );
  });

  it('scores few campaigns, however many there are', () => {
    const index = new MatchIndex(testLexicon);
    const profile = buildMatchingProfile(audience(['running shoes']), testLexicon);
    for (let i = 0; i < 20_000; i++) index.set(`c${i}`, profile, 1_000 * (1 + i));
    let bidCalls = 0;
    index.match(talk('i want to buy running shoes'), {
      bid: (id) => {
        bidCalls++;
        return 1_000 * (1 + Number(id.slice(1)));
      },
    });
    expect(bidCalls).toBeLessThan(50);
  });

  it('finds the best fit among thousands of the same topic', () => {
    const index = new MatchIndex(testLexicon);
    const profile = buildMatchingProfile(audience(['restaurant reservations', 'places to eat']), testLexicon);
    for (let i = 0; i < 5_000; i++) index.set(`c${i}`, profile, 1_000_000);
    index.set(
      'best',
      buildMatchingProfile(audience(['ethiopian restaurant', 'places to eat']), testLexicon),
      1_000_000,
    );
    const { candidates } = index.match(talk('is there an ethiopian restaurant nearby'), { bid });
    expect(candidates[0]!.id).toBe('best');
  });

  it('finds the best fit behind hundreds of higher bids that do not fit', () => {
    const index = new MatchIndex(testLexicon);
    const other = buildMatchingProfile(audience(['tulips'], { interests: ['Hotels and Motels'] }), testLexicon);
    for (let i = 0; i < 200; i++) index.set(`dear${i}`, other, 50_000_000);
    index.set('right', buildMatchingProfile(audience(['lodging', 'inn']), testLexicon), 1_000_000);
    expect(index.match(talk('book a hotel in rome'), { bid }).candidates[0]).toMatchObject({
      id: 'right',
      outcome: 'match',
    });
  });

  it('finds the same winner as an exhaustive search for 19 of 20 conversations', {
    tags: 'whole',
  }, () => {
    const keywords = Object.values(MARKET).flatMap((campaign) => campaign.keywords);
    const index = new MatchIndex(testLexicon);
    const prices = new Map<string, number>();
    const everybody: MatchIndex[] = [];
    const draw = fc.sample(
      fc.tuple(
        fc.array(fc.constantFrom(...keywords), { minLength: 3, maxLength: 5 }),
        fc.integer({ min: 100, max: 9_999 }),
      ),
      { numRuns: scaleRuns(3_000), seed: 11 },
    );
    for (const [i, [words, price]] of draw.entries()) {
      const profile = buildMatchingProfile(audience(words), testLexicon);
      index.set(`c${i}`, profile, 1_000 * price);
      prices.set(`c${i}`, 1_000 * price);
      // In groups of twenty, every campaign is a candidate.
      if (i % 20 === 0) everybody.push(new MatchIndex(testLexicon));
      everybody.at(-1)!.set(`c${i}`, profile, 1_000 * price);
    }
    const texts = [
      ...keywords.map((keyword) => `where do i find ${keyword}`),
      ...CONVERSATIONS.map(([message]) => message!.content),
    ];
    let different = 0;
    for (const text of texts) {
      const offer = (id: string) => prices.get(id)!;
      const all = everybody
        .flatMap((part) => part.match(talk(text), { bid: offer }).candidates)
        .filter(({ outcome }) => outcome === 'match');
      const best = Math.max(0, ...all.map(({ relevance }) => relevance));
      const highest = Math.max(
        0,
        ...all.filter(({ relevance }) => relevance >= toRelativeThreshold(best)).map((one) => one.bid * one.relevance),
      );
      const [first] = index.match(talk(text), { bid: offer }).candidates;
      expect(first?.outcome === 'match').toBe(all.length > 0);
      if (first && all.length > 0 && Math.abs(first.bid * first.relevance - highest) > 1e-6 * highest) different++;
    }
    expect(different / texts.length).toBeLessThanOrEqual(0.05);
  });

  it('continues past campaigns that the caller refuses', () => {
    const index = new MatchIndex(testLexicon);
    const profile = buildMatchingProfile(audience(['running shoes']), testLexicon);
    for (let i = 0; i < 3_000; i++) index.set(`c${i}`, profile, 1_000_000 - i);
    const { candidates } = index.match(talk('i want to buy running shoes'), { bid: (id) => (id === 'c2999' ? 5 : 0) });
    expect(candidates[0]).toMatchObject({ id: 'c2999', outcome: 'match' });
  });

  it('rotates equal campaigns, however many there are', () => {
    const index = new MatchIndex(testLexicon);
    for (let i = 0; i < 200; i++) index.set(`c${i}`, buildMatchingProfile(audience(['hotel']), testLexicon), 1_000_000);
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++)
      for (const { id } of index.match(talk('book a hotel'), { bid }).candidates) seen.add(id);
    expect(seen.size).toBe(200);
  });

  it('refuses to match or change during a match', () => {
    const index = open(MARKET);
    const messages = talk('cheap flights to rome');
    const before = index.match(messages, { bid });
    for (const inside of [
      () => index.match(messages, { bid }),
      () => index.delete('flights'),
      () => index.set('flights', buildMatchingProfile(audience(['hotel']), testLexicon), 1),
    ])
      expect(() => index.match(messages, { bid: () => Number(inside() ?? 1) })).toThrow('not re-entrant');
    expect(index.match(messages, { bid })).toEqual(before);
  });

  it('treats a bid above the ceiling as the ceiling, and NaN as no bid', () => {
    const index = open({ above: audience(['hotel']), endless: audience(['hotel']), none: audience(['hotel']) });
    const bids: Record<string, number> = { above: 2_000_000, endless: Number.POSITIVE_INFINITY, none: Number.NaN };
    const { candidates } = index.match(talk('book a hotel'), { bid: (id) => bids[id]! });
    expect(Object.fromEntries(candidates.map((one) => [one.id, one.bid]))).toEqual({
      above: 1_000_000,
      endless: 1_000_000,
      none: 0,
    });
  });

  it('returns at least one candidate', () => {
    expect(open(MARKET).match(talk('book a hotel'), { bid, limit: 0 }).candidates).toHaveLength(1);
  });

  it('keeps working after a caller throws', () => {
    const index = open(MARKET);
    const messages = talk('cheap flights to rome');
    const before = index.match(messages, { bid });
    const fail = () => {
      throw new Error('no price');
    };
    expect(() => index.match(messages, { bid: fail })).toThrow('no price');
    expect(index.match(talk('dog food'), { bid }).candidates[0]!.id).toBe('pets');
    expect(index.match(messages, { bid })).toEqual(before);
  });

  it('gives the same answer whatever was asked before', { tags: 'whole' }, () => {
    const used = open(MARKET);
    const anything = fc.array(
      fc.constantFrom('hotel', 'not', 'no', 'dog food', 'gift card', 'why?', 'a.b', 'ホテル', '.'),
      {
        maxLength: 60,
      },
    );
    const fail = () => {
      throw new Error('no price');
    };
    fc.assert(
      fc.property(anything, fc.boolean(), fc.constantFrom(...CONVERSATIONS), (before, fails, messages) => {
        try {
          used.match(talk(before.join(' ')), { bid: fails ? fail : bid });
        } catch {}
        expect(used.match(messages, { bid, debug: true })).toEqual(open(MARKET).match(messages, { bid, debug: true }));
      }),
      { numRuns: scaleRuns(100), seed: 9 },
    );
  });

  it('releases the memory of words that no campaign has anymore', () => {
    const index = new MatchIndex(testLexicon);
    const profile = buildMatchingProfile(audience([]), testLexicon);
    let word = 0;
    const edit = () => {
      const next = () => `w${(word++).toString(36)}x`;
      const keywords = Array.from({ length: 100 }, () => `${next()} ${next()}`);
      index.set('edited', { ...profile, k: keywords.join('|'), x: next() }, 1_000_000);
    };
    const measureMemory = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    gc();
    const before = measureMemory();
    for (let i = 0; i < 500; i++) edit();
    gc();
    expect(measureMemory() - before).toBeLessThan(3_000_000);
    expect(
      index.match(talk(`where is w${(word - 2).toString(36)}x and w${(word - 3).toString(36)}x`), { bid }).candidates,
    ).toHaveLength(1);
    expect(index.match(talk('where is w0x and w1x'), { bid }).candidates).toHaveLength(0);
  });

  it('reuses the numbers of removed words without confusing them', () => {
    const index = new MatchIndex(testLexicon);
    const found = (text: string) => index.match(talk(text), { bid }).candidates.map(({ id }) => id);
    index.set('a', buildMatchingProfile(audience(['quimbor']), testLexicon), 1_000_000);
    expect(found('a quimbor and a blivet')).toEqual(['a']);
    index.set('a', buildMatchingProfile(audience(['blivet']), testLexicon), 1_000_000);
    expect(found('a quimbor')).toEqual([]);
    expect(found('a blivet')).toEqual(['a']);
    index.delete('a');
    expect(found('a quimbor and a blivet')).toEqual([]);
  });

  it('rejects a matching profile of another lexicon version, whose topic numbers differ', () => {
    const stale = { ...buildMatchingProfile(audience(['shoes']), testLexicon), v: 'old' };
    expect(() => new MatchIndex(testLexicon).set('a', stale, 1)).toThrow('rebuild the profile');
  });
});

describe('A matching profile', () => {
  it('survives JSON and stays small', () => {
    for (const words of Object.values(MARKET)) {
      const profile = buildMatchingProfile(words, testLexicon);
      const text = JSON.stringify(profile);
      expect(JSON.parse(text)).toEqual(profile);
      expect(text.length).toBeLessThan(300);
    }
  });
  it('contains the topics of keywords, interests, and categories', () => {
    const topics = (more: Parameters<typeof audience>[1], keywords: string[] = []) => {
      const { t } = buildMatchingProfile(audience(keywords, more), testLexicon);
      return t.filter((_, i) => i % 2 === 0).map((topic) => testLexicon.topics[topic]);
    };
    expect(topics({}, ['cheap flights'])[0]).toBe('Travel > Travel Type > Air Travel');
    expect(topics({ interests: ['Air Travel'] })[0]).toBe('Travel > Travel Type > Air Travel');
    expect(topics({ categories: ['Travel > Travel Type > Air Travel'] })[0]).toBe('Travel > Travel Type > Air Travel');
  });
  it('belongs to the categories of its topics and of their ancestors', () => {
    const profile = buildMatchingProfile(audience(['cheap flights', 'airfare']), testLexicon);
    const isIn = (category: string) => hasAnyTopic(profile, findTopicsByName([category], testLexicon), testLexicon);
    expect(isIn('Air Travel')).toBe(true);
    expect(isIn('travel')).toBe(true);
    expect(isIn('Travel > Travel Type > Air Travel')).toBe(true);
    expect(isIn('Pets')).toBe(false);
    expect(isIn('no such category')).toBe(false);
  });
  it('trusts keywords more than an interest that describes the buyers', () => {
    const { t } = buildMatchingProfile(
      audience(['taxi app', 'book a cab'], { interests: ['Nightclubs'] }),
      testLexicon,
    );
    expect(testLexicon.topics[t[0]!]).toBe('Travel > Travel Type > Taxi and Rides');
  });
  it('with only interests is found by its topic', () => {
    const index = open({ travel: audience([], { interests: ['Air Travel'] }) });
    expect(index.match(talk('i need to book a flight to oslo'), { bid }).candidates[0]).toMatchObject({
      outcome: 'match',
    });
  });
});
