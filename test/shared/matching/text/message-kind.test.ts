import { describe, expect, it } from 'vitest';
import { readKindWeights } from '../../../../infra/lexicon/classifier-weights.ts';
import { MESSAGE_KINDS, readMessageKind } from '../../../../shared/matching/index.ts';
import { sourcesOfKinds } from '../../../../tools/kinds/kind-messages.ts';
import { testLexicon } from '../helpers.ts';

const getKind = (text: string) => {
  const chances = [...readMessageKind(text, testLexicon.kindClassifier)];
  return MESSAGE_KINDS[chances.indexOf(Math.max(...chances))];
};

describe('readMessageKind', () => {
  it.each([
    ['wish', 'my puppy chews every shoe in the house, what can i give her instead'],
    ['task', 'translate this paragraph into Spanish please'],
    ['fact', 'who invented the bicycle'],
    ['plea', 'my order 4411 never arrived, please refund me'],
    ['device', 'set a timer for ten minutes'],
    ['story', 'last year our tent collapsed in the storm and we laughed all night'],
    ['howto', 'how do I get red wine out of a carpet with what i have at home'],
  ])('finds a %s: %s', (kind, text) => {
    expect(getKind(text)).toBe(kind);
  });
  it('returns probabilities, for any text', () => {
    for (const text of ['', '?', 'a'.repeat(5_000), 'ありがとう', 'buy '.repeat(3_000)]) {
      const chances = readMessageKind(text, testLexicon.kindClassifier);
      expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1);
    }
  });
  it('reads only the ends of a long message', () => {
    const said = (middle: string) => `${'a '.repeat(200)}${middle}${'b '.repeat(200)}`;
    const read = (text: string) => [...readMessageKind(text, testLexicon.kindClassifier)];
    expect(read(said('which tent should I buy? '.repeat(20)))).toEqual(read(said('who wrote Hamlet? '.repeat(30))));
  });
});

it('weights were learned from the current messages and code (run: npm run train -- kinds)', () => {
  expect(readKindWeights().learnedFrom).toBe(sourcesOfKinds());
});
