import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../shared/matching/index.ts';
import { MARKET, open } from './helpers.ts';

const index = open(MARKET);
const bid = () => 1_000_000;
const match = (messages: Message[]) => index.match(messages, { bid, debug: true });
const user = (content: string): Message[] => [{ role: 'user', content }];

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
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

describe('any text', () => {
  it('gets a verdict that keeps its promises', () => {
    const message = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: nasty });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), (messages) => {
        const { candidates, silence } = match(messages);
        expect(candidates.length).toBeLessThanOrEqual(20);
        expect(silence === null).toBe(candidates.some(({ outcome }) => outcome === 'match'));
        for (const { relevance, matched } of candidates) {
          expect(relevance).toBeGreaterThanOrEqual(0);
          expect(relevance).toBeLessThanOrEqual(1);
          for (const { message } of matched) expect(messages[message]).toBeDefined();
        }
      }),
      { numRuns: 300, seed: 3 },
    );
  });
  it('gets the same verdict twice', () => {
    fc.assert(
      fc.property(nasty, (content) => {
        expect(match(user(content))).toEqual(match(user(content)));
      }),
      { numRuns: 100, seed: 5 },
    );
  });
  it.each([
    ['emoji', 'i need a ✈️ flight 😀 to oslo', 'flights'],
    ['markup', '<p>please <b>book a hotel</b> &amp; more</p>', 'hotels'],
    ['zero-width characters', 'book a ho\u200btel', 'hotels'],
    ['right-to-left text around it', 'שלום book a hotel بجانب', 'hotels'],
    ['lone surrogates', 'book a \ud800 hotel \udc00', 'hotels'],
  ])('is understood in spite of %s', (_, text, id) => {
    expect(match(user(text)).candidates[0]).toMatchObject({ id, outcome: 'match' });
  });
  it('may be empty', () => {
    expect(match(user('')).silence).not.toBeNull();
    expect(match([{ role: 'assistant', content: '' }]).silence).not.toBeNull();
  });
});

describe('a thousand messages', () => {
  it('are read to the last', () => {
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

describe('time', () => {
  const cost = (content: string) => {
    const messages = Array.from(
      { length: Math.ceil(content.length / 32_768) },
      (_, i): Message => ({
        role: 'user',
        content: content.slice(i * 32_768, (i + 1) * 32_768),
      }),
    );
    match(messages);
    const from = process.cpuUsage();
    match(messages);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / content.length;
  };
  const ordinary = 'we were thinking about a cheap hotel near the station, maybe with breakfast. ';
  it.each([
    ['ordinary text', ordinary],
    ['one repeated word', 'hotel '],
    ['a repeated phrase of the lexicon', 'book a hotel room '],
    ['apostrophes and dots', "a.b'c&d.e'"],
    ['no spaces', 'a'],
    ['Chinese', '我想预订酒店'],
    ['negations', 'not no never dont '],
    ['combining marks', 'e\u0301\u0323'],
    ['small talk', 'how are you '],
    ['sensitive words', 'sex '],
  ])('is linear for %s', (_, unit) => {
    const repeat = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    // Generous, because the machine is shared: quadratic time would be 16 times as much.
    expect(cost(repeat(400_000))).toBeLessThan(6 * cost(repeat(25_000)) + 2);
  });
});
