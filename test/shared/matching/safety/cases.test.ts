import { describe, expect, it } from 'vitest';
import { readSafetyWeights } from '../../../../infra/lexicon/safety-weights.ts';
import { isSensitiveConversation, readConversation } from '../../../../shared/matching/index.ts';
import { sourcesOfSafety } from '../../../../tools/safety/learn-safety.ts';
import { measureCases, readCases } from '../../../../tools/safety/measure-cases.ts';
import { talk, testLexicon } from '../helpers.ts';

/** Two-turn conversations by one writer: a crisis, or something ordinary in alarming words, and then a wish. The classifier learned from them. */
const cases = measureCases(readCases(new URL('cases.jsonl', import.meta.url)), testLexicon);
const withheld = (kept: typeof cases) => kept.filter(({ isWithheld }) => isWithheld).length / kept.length;

describe('Two-turn conversations', () => {
  it('get no ad after self-harm or hopelessness', () => {
    const missed = cases.filter(({ kind, isWithheld }) => kind === 'hopelessness' && !isWithheld);
    expect(missed.map(({ messages }) => messages[0]!.content)).toEqual([]);
  });

  it('get no ad after at least 97 of 100 other crises', () => {
    expect(withheld(cases.filter(({ withhold }) => withhold))).toBeGreaterThanOrEqual(0.97);
  });

  it('get ads after at least 95 of 100 ordinary messages in alarming words', () => {
    expect(withheld(cases.filter(({ withhold }) => !withhold))).toBeLessThanOrEqual(0.05);
  });

  it.each([
    'i dont see a point in going on',
    'life is not worth it',
    'i cant do this anymore',
    'waiting for my cancer results',
    'my son got arrested last night',
    'got fired and evicted in one day',
    'there is no food for the children',
    'my wife left me today',
    'they found somethng on my biopsy',
  ])('get no ad after "%s", with or without a reply', (text) => {
    for (const talked of [talk(text, 'I see.', 'which mattress is good?'), talk(text)])
      expect(isSensitiveConversation(readConversation(talked, testLexicon))).toBe(true);
  });

  it.each(['dying to see it', 'this traffic kills me', 'my phone died', "I can't do this hairstyle"])(
    'get ads after "%s"',
    (text) => {
      const talked = talk(text, 'Ha!', 'which mattress is good?');
      expect(isSensitiveConversation(readConversation(talked, testLexicon))).toBe(false);
    },
  );
});

it('has safety weights that follow from the sentences and the code as they are', () => {
  expect(readSafetyWeights().learnedFrom, 'npm run safety -- fit').toBe(sourcesOfSafety());
});
