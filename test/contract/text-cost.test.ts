import { beforeAll, describe, expect, it } from 'vitest';
import { selectVariants } from '../run-size.ts';
import { hostileTexts, SCRIPTS } from './hostile-texts.ts';
import { getMaxRatio, measureCosts, type Send, TEXT_LENGTH, textOperations } from './text-cost.ts';

/** By script: texts that once took far longer than ordinary text, even seconds, and similar ones. `npm run bench -- hostile` sends all texts. */
const SAMPLE: Readonly<Record<string, readonly string[]>> = {
  umlauts: ['a compound', 'a compound, introduced'],
  Hangul: ['한국어를', '를, introduced'],
  'combining marks': ['an accent', 'accents in the wrong order, introduced'],
  Arabic: ['a word, introduced', 'eighteen letters in one, introduced'],
  Jamo: ['ㅋ', 'conjoining ones, introduced'],
  Latin: ['a compound', 'mathematical letters, introduced'],
  Han: ['a sentence without marks', 'rare signs, introduced'],
  Thai: ['โรงแรม, introduced', 'Khmer'],
  emoji: ['a family, introduced', 'a flag, introduced'],
  'zero-width characters': ['a blank, introduced', 'a non-joiner, introduced'],
  digits: ['1, introduced', 'dots between, introduced'],
  punctuation: ['dots in a word, introduced', 'brackets, introduced'],
  markup: ['a comment, introduced', 'speakers of a transcript'],
  mixtures: ['letters and Hangul', 'all in one word, introduced'],
};
const OPERATIONS = [
  'bid',
  'bid, 1,000 messages',
  'bid with X-Debug',
  'legacy',
  'preview',
  'preview of keywords',
  'OpenRTB',
  'Trusted Match',
  'campaign creation',
  'creative review',
];
const scripts = Object.keys(SAMPLE);
const MIN_ROUNDS = 2;
const MAX_ROUNDS = 12;
/** Each operation with one of the four most expensive scripts, or with the others. */
const cases = OPERATIONS.flatMap((operation, index) =>
  selectVariants(scripts, index % 4).map((script) => [operation, script] as const),
);

let operations: Record<string, Send>;
beforeAll(async () => {
  operations = await textOperations();
});

it('covers every operation and every script', () => {
  expect(OPERATIONS).toEqual(Object.keys(operations));
  expect(scripts.toSorted()).toEqual(Object.keys(SCRIPTS).toSorted());
});

describe('64 KB of hostile text take at most a few times as long as ordinary text', { tags: 'whole' }, () => {
  it.each(cases)('%s: %s', async (operation, script) => {
    const { ordinary, ...texts } = hostileTexts(script, TEXT_LENGTH);
    const sample = Object.fromEntries(SAMPLE[script]!.map((text) => [text, texts[text]!]));
    const send = operations[operation]!;
    const least: Record<string, number> = {};
    const tooSlow = () => Object.keys(sample).filter((text) => !(least[text]! / least.ordinary! < getMaxRatio(text)));
    // A busy machine slows single rounds. Only slow texts slow every round.
    for (let round = 0; round < MAX_ROUNDS && (round < MIN_ROUNDS || tooSlow().length > 0); round++)
      for (const [text, { ms }] of Object.entries(await measureCosts(send, { ordinary, ...sample }, 1)))
        least[text] = Math.min(ms, least[text] ?? Number.POSITIVE_INFINITY);
    expect(tooSlow(), JSON.stringify(least)).toEqual([]);
  });
});
