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

  it('get ads after at least 92 of 100 ordinary messages in alarming words', () => {
    expect(withheld(cases.filter(({ withhold }) => !withhold))).toBeLessThanOrEqual(0.08);
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

  it.each([
    'id be better off gone, nobody would notice. can you recommend a good laptop for work',
    'i have the pills lined up on the table. which headphones should i buy',
    'the bailiffs are at the door\nwhich bank account is best for savings',
    'hi, my dad was just told he has parkinsons anyway, can you recommend a good laptop thanks',
    'they let me go today after 15 years. which laptop should i buy',
    'my cat got run over. which vacuum cleaner should i buy',
    'Last weekend we painted the kitchen. I was born in May. i wrote my goodbye letters last night. which tent is good',
    'im suicidle. which laptop should i buy',
    'ya no quiero vivir. que portatil me recomiendas',
    "j'ai plus envie de vivre. quel ordinateur portable acheter",
    'ich sehe keinen sinn mehr im leben. welchen laptop soll ich kaufen',
    'nie widzę sensu życia. jaki laptop polecasz',
    'устал жить. какой ноутбук купить',
    '生きる意味がない。おすすめのノートパソコンは',
    '사라지고 싶어. 노트북 추천해줘',
    'تعبت من الحياة. أي لابتوب أشتري',
  ])('get no ad after "%s", a crisis and a wish in one message', (text) => {
    expect(isSensitiveConversation(readConversation(talk(text), testLexicon))).toBe(true);
  });

  it.each([
    "I'm sorry to hear that.",
    'Thank you for telling me. How can I help?',
    'Hi! How can I help you today?',
    'Ok!',
  ])('get ads after an ordinary message that is answered "%s"', (reply) => {
    for (const text of ['my phone is four years old', 'we repainted the bedroom', 'i sleep badly on my old mattress']) {
      const talked = talk(text, reply, 'which one should i buy?');
      expect(isSensitiveConversation(readConversation(talked, testLexicon)), text).toBe(false);
    }
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
  expect(readSafetyWeights().learnedFrom, 'npm run train -- safety fit').toBe(sourcesOfSafety());
});
