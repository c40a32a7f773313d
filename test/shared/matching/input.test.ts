import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMatchingProfile, MatchIndex, type Message } from '../../../shared/matching/index.ts';
import { TermPositions } from '../../../shared/matching/ranking/term-positions.ts';
import { readConversation } from '../../../shared/matching/reading/read-conversation.ts';
import { truncateConversation } from '../../../shared/matching/reading/truncate-conversation.ts';
import { unicodeStrings } from '../../characters.ts';
import { scaleRuns } from '../../run-size.ts';
import { audience, MARKET, open, testLexicon } from './helpers.ts';

const index = open(MARKET);
const bid = () => 1_000_000;
const match = (messages: Message[]) => index.match(messages, { bid, debug: true });
const user = (content: string): Message[] => [{ role: 'user', content }];

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  unicodeStrings(300),
  fc
    .array(
      fc.constantFrom(
        '\ud800',
        '\udfff',
        '\u200b',
        '\u202e',
        '😀',
        'שלום',
        'مرحبا',
        'hotel',
        '<b>',
        '\0',
        "'",
        '.',
        'a',
      ),
      { maxLength: 200 },
    )
    .map((parts) => parts.join('')),
);

describe('A match of any text', () => {
  it('keeps the invariants of a result', { tags: 'whole' }, () => {
    const message = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: nasty });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), (messages) => {
        const { candidates, noBid } = match(messages);
        expect(candidates.length).toBeLessThanOrEqual(20);
        expect(noBid === null).toBe(candidates.some(({ outcome }) => outcome === 'match'));
        for (const { relevance, matched } of candidates) {
          expect(relevance).toBeGreaterThanOrEqual(0);
          expect(relevance).toBeLessThanOrEqual(1);
          for (const { message } of matched) expect(messages[message]).toBeDefined();
        }
      }),
      { numRuns: scaleRuns(300), seed: 3 },
    );
  });
  it('returns the same result twice', { tags: 'whole' }, () => {
    fc.assert(
      fc.property(nasty, (content) => {
        expect(match(user(content))).toEqual(match(user(content)));
      }),
      { numRuns: scaleRuns(100), seed: 5 },
    );
  });
  it.each([
    ['emoji', 'i need a ✈️ flight 😀 to oslo', 'flights'],
    ['markup', '<p>please <b>book a hotel</b> &amp; more</p>', 'hotels'],
    ['zero-width characters', 'book a ho\u200btel', 'hotels'],
    ['right-to-left text around it', 'שלום book a hotel بجانب', 'hotels'],
    ['lone surrogates', 'book a \ud800 hotel \udc00', 'hotels'],
  ])('understands a text despite %s', (_, text, id) => {
    expect(match(user(text)).candidates[0]).toMatchObject({ id, outcome: 'match' });
  });
  it('accepts an empty text', () => {
    expect(match(user('')).noBid).not.toBeNull();
    expect(match([{ role: 'assistant', content: '' }]).noBid).not.toBeNull();
  });
});

describe('A long word', () => {
  const getMatched = (content: string, keyword: string, languages: string[] = []) => {
    const [found] = open({ own: audience([keyword], { languages }) }).match(user(content), {
      bid,
      debug: true,
    }).candidates;
    return found?.matched.map((one) => (one.kind === 'keyword' ? keyword : one.term)) ?? [];
  };
  const german = 'Ich suche für meine Wohnung etwas, das nicht zu teuer ist: ';
  const compound = 'waschmaschinenversicherung';

  it('matches a keyword of a hundred characters in full, or by its end', () => {
    const long = 'donaudampfschiff'.repeat(7).slice(0, 100);
    expect(getMatched(`I need a ${long} today`, long)).toEqual([long]);
    expect(getMatched(`${german}eine ${long.slice(0, 74)}${compound}`, 'Versicherung', ['de'])).toHaveLength(1);
  });
  it.each([
    ['ends with it', `${german}eine ${compound.repeat(4)}`, 'Versicherung'],
    ['ends with it after thousands of letters', `${german}eine ${compound.repeat(1_000)}`, 'Versicherung'],
    ['begins with it', `I need a hotel${'hotel'.repeat(5_000)}`, 'hotel'],
    ['ends with it, between signs of Han', `我想${'hotel'.repeat(500)}`, 'hotel'],
  ])('that exceeds every keyword does not count as a word that it %s', (_, content, keyword) => {
    expect(getMatched(content, keyword)).toEqual([]);
    expect(getMatched(`${content} ${keyword}`, keyword)).toContain(keyword);
  });
  it('that exceeds every keyword is left out of the explanation', () => {
    expect(getMatched(`I need a ${'x'.repeat(5_000)} hotel`, 'hotel')).toEqual(['hotel', 'need hotel']);
  });
});

describe('A conversation of a thousand messages', () => {
  it('is read to the last message', () => {
    const chat = Array.from(
      { length: 999 },
      (_, i): Message => ({ role: i % 2 ? 'assistant' : 'user', content: 'ok then' }),
    );
    expect(match([...chat, ...user('find me a cheap hotel')]).candidates[0]).toMatchObject({
      id: 'hotels',
      outcome: 'match',
    });
  });
});

describe('The work of a match', () => {
  const repeat = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const chat = (content: string): Message[] => {
    const messages: Message[] = [];
    for (let at = 0; at < content.length; at += 32_768)
      messages.push({ role: 'user', content: content.slice(at, at + 32_768) });
    return messages;
  };
  /** Counts the calls of a method during a task. */
  const calls = <M extends string>(object: Record<M, (...args: never[]) => unknown>, method: M, task: () => void) => {
    const original = object[method];
    let count = 0;
    object[method] = function (this: unknown, ...args: never[]) {
      count++;
      return original.apply(this, args);
    };
    try {
      task();
    } finally {
      object[method] = original;
    }
    return count;
  };
  /** Counts the work for a text. A clock would also measure the rest of the machine. */
  const done = (content: string) => {
    const messages = chat(content);
    let read = { tokens: 0, hits: 0 };
    const steps = calls(testLexicon.graph, 'findChild', () => {
      const { tokens, hits } = readConversation(messages, testLexicon);
      read = { tokens: tokens.positions.length, hits: hits.length };
    });
    return {
      ...read,
      steps,
      looks: calls(TermPositions.prototype, 'nearest', () => index.match(messages, { bid })),
    };
  };
  describe.each([
    ['ordinary text', 'we were thinking about a cheap hotel near the station, maybe with breakfast. '],
    ['one repeated word', 'hotel '],
    ['a repeated phrase of the lexicon', 'book a hotel room '],
    ['phrases that announce a story', 'movie rape book '],
    ['errands', 'remind me to buy dog food '],
    ['apostrophes and dots', "a.b'c&d.e' "],
    ['no spaces', 'a'],
    ['Chinese', '我想预订酒店'],
    ['negations', 'not no never dont '],
    ['combining marks', 'e\u0301\u0323 '],
    ['small talk', 'how are you '],
    ['sensitive words', 'sex '],
  ])('for %s', (_, unit) => {
    it('grows no faster than the text', { tags: 'whole' }, () => {
      const small = done(repeat(unit, 1024));
      const times = scaleRuns(640);
      const large = done(repeat(unit, times * 1024));
      for (const what of ['tokens', 'hits', 'steps', 'looks'] as const)
        expect(large[what], what).toBeLessThan(1.1 * times * small[what] + 1024);
    });
  });
  it.each([
    ['a text that is eighteen times as long when it is spelled out', '\ufdfa', [0, 65_502, 34]],
    ['words', 'hotel breakfast station ', [32_734, 32_768, 34]],
  ])('is bounded by reading only the newest part of a conversation: %s', (_, unit, lengths) => {
    const filler = { role: 'user' as const, content: repeat(unit, 32_768) };
    const question = { role: 'user' as const, content: 'Which hotel in Rome should I book?' };
    const messages = [question, ...Array.from({ length: 9 }, () => filler), question];
    const kept = truncateConversation(messages);
    expect(kept.map(({ content }) => content.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, ...lengths]);
    const hotels = open({ hotels: audience(['hotel']) });
    const [winner] = hotels.match(messages, { bid, debug: true }).candidates;
    expect(winner?.matched.map(({ message }) => message)).toContain(10);
    expect(truncateConversation([question])).toEqual([question]);
  });
  it('is bounded when many short messages expand', () => {
    const messages = Array.from({ length: 1_000 }, () => ({ role: 'user' as const, content: '\ufdfa'.repeat(60) }));
    const kept = truncateConversation([...messages, { role: 'user', content: 'Which hotel in Rome should I book?' }]);
    const spelled = kept.reduce((sum, { content }) => sum + content.normalize('NFKC').length, 0);
    expect(spelled).toBe(65_536);
    expect(kept).toHaveLength(1_001);
  });
  it('is bounded for a phrase that fills a megabyte, and the newest occurrences are kept', () => {
    const { hits, tokens } = readConversation(chat(repeat('remind me to buy dog food ', 1024 * 1024)), testLexicon);
    expect(hits.length).toBeLessThan(30_000);
    expect(Math.max(...hits.map(({ to }) => to))).toBeGreaterThan(tokens.positions.length - 8);
  });
  it.each(['keywords', 'excludedKeywords'] as const)(
    'is bounded for hundreds of long %s all of whose words were said',
    (list) => {
      const letters = [...'bcdefghjklmnopqrstuvwxyz'];
      const long = Array.from({ length: 200 }, (_, i) =>
        Array.from({ length: 49 }, (_, j) => letters[(7 * i + 5 * j) % 24]).join(' '),
      );
      const text = `book a hotel ${Array.from({ length: 15_000 }, (_, i) => letters[(11 * i) % 24]).join(' ')}`;
      const cost = (words: string[]) => {
        const campaign = audience(['hotel', 'hotel b', ...(list === 'keywords' ? words : [])], {
          excludedKeywords: list === 'excludedKeywords' ? words.map((phrase) => `${phrase} zz`) : [],
        });
        const market = new MatchIndex(testLexicon);
        const profile = buildMatchingProfile(campaign, testLexicon);
        for (let i = 0; i < 8; i++) market.set(`c${i}`, profile, 1_000_000);
        const from = process.cpuUsage();
        market.match(user(`${text} zz ${'c '.repeat(20)}`), { bid });
        const { user: time, system } = process.cpuUsage(from);
        return (time + system) / 1000;
      };
      expect(cost(long)).toBeLessThan(10 * cost([]) + 200);
    },
  );
});
