import { describe, expect, it } from 'vitest';
import { readSafetyWeights } from '../../../../infra/lexicon/classifier-weights.ts';
import { isSensitiveConversation, type Message, readConversation } from '../../../../shared/matching/index.ts';
import { sourcesOfSafety } from '../../../../tools/safety/learn-safety.ts';
import { measureCases, readCases } from '../../../../tools/safety/measure-safety.ts';
import { MARKET, open, talk, testLexicon } from '../helpers.ts';

/**
 * Two-turn conversations by one writer: a crisis, or an ordinary message in alarming words, followed by a wish. The
 * classifier learned from them.
 */
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
    ['a line break', ['i want to\ndie']],
    ['two messages', ['i want', 'to die']],
    ['digits for letters', ['i want to k1ll mys3lf']],
    ['letters that only look Latin', ['i wаnt to kіll mysеlf']],
    ['typing errors', ['i cnat do this anymor']],
    ['one word', ['evicted']],
    ['one word', ['hopeless']],
  ])('get no ad after a crisis in %s: %j', (_, said) => {
    const messages = [
      ...said.map((content) => ({ role: 'user' as const, content })),
      ...talk('Ok!', 'which laptop is good?').slice(-1),
    ];
    expect(isSensitiveConversation(readConversation(messages, testLexicon))).toBe(true);
  });

  it.each([
    'ich habe krebs',
    'tengo cáncer',
    "j'ai un cancer",
    'mam raka',
    'у меня рак',
    'kanserim',
    '我得了癌症',
    '癌になりました',
    '암 진단을 받았어요',
    'муж меня бьёт',
    '夫に殴られています',
    '남편이 때려요',
    'babam dün öldü',
    'mein sohn wurde gestern verhaftet',
    'wir haben nichts mehr zu essen',
    'meine frau hat mich verlassen',
    'mi marido me pega',
  ])('get no ad after "%s", whatever language the wish is in', (text) => {
    expect(isSensitiveConversation(readConversation(talk(text, 'Ok!', 'which laptop is good?'), testLexicon))).toBe(
      true,
    );
  });

  it('get no ad later in a conversation that exceeds the matched length', () => {
    const long = { role: 'assistant' as const, content: 'Here is a long answer. '.repeat(1_500) };
    const ask = (content: string) => ({ role: 'user' as const, content });
    const crisis = ask('i have the pills ready and i want to die tonight');
    const index = open(MARKET);
    const match = (...messages: Message[]) => index.match(messages, { bid: () => 1_000_000 }).noBid;
    const wish = ask('which laptop is good?');
    expect(match(crisis, long, ask('ok'), long, ask('ok'), long, wish)).toBe('sensitive_context');
    expect(match(ask('hello'), long, ask('ok'), long, ask('ok'), long, wish)).not.toBe('sensitive_context');
  });

  it.each([
    'hi',
    'Hi!',
    'hi everyone',
    'hi :)',
    'hi how are you',
    'Hi, I am Anna',
    'cya',
    'its me again',
    'me',
    'bouzoukizoom',
    'my girlfriend is vegan',
    'my son hit a home run',
    'the kids are driving me crazy',
    'my laptop died yesterday',
    'i cant do this anymore, this sudoku is impossible',
  ])('get ads after "%s"', (text) => {
    expect(
      isSensitiveConversation(readConversation(talk(text, 'How can I help?', 'which laptop is good?'), testLexicon)),
    ).toBe(false);
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
