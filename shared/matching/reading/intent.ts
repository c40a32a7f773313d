import type { DetectedLanguage } from '../language/detector.ts';
import { isNonEnglish } from '../language/detector.ts';
import type { EnglishPatterns } from '../lexicon/english-words.ts';
import { type IntentPatterns, type IntentWordsTable, isUnspacedLanguage } from '../lexicon/intent-words.ts';
import { NEGATED_WISH } from '../lexicon/negation-words.ts';
import { fold } from '../text/fold.ts';

/** What a message asks for. */
export interface MessageIntent {
  /** 1 if the message contains a wish, a need, or a question that may require a product. */
  wishes: number;
  /** 1 if the wish is to get something: what to buy, which one to take, where to find one. */
  buys: number;
  /** 1 if no ad helps: an action on something the user has, a calculation, or the end of a wish. */
  chore: number;
}

export const NO_INTENT: MessageIntent = { wishes: 0, buys: 0, chore: 0 };

/** Characters read at each end of a message. People state a wish at the beginning or at the end. */
const MAX_END_LENGTH = 400;

/**
 * Detects what a message asks for. @param saysNeed whether it contains a topic's own words for a need ("locked myself
 * out")
 */
export function detectIntent(
  message: string,
  language: DetectedLanguage,
  saysNeed: boolean,
  askingWords: IntentWordsTable,
): MessageIntent {
  const ends =
    message.length > 2 * MAX_END_LENGTH
      ? `${message.slice(0, MAX_END_LENGTH)}\n${message.slice(-MAX_END_LENGTH)}`
      : message;
  return isNonEnglish(language)
    ? detectIntentByWords(ends, language.code, askingWords)
    : detectEnglishIntent(ends, saysNeed, askingWords.english);
}

/** Signs between numbers. */
const ARITHMETIC = [
  /\d ?[*×÷^] ?\d/, // 25*4
  /\d ?% of \$?\d/, // 15% of 80
  /\b\d[\d.,]* (?:times|plus|minus|divided by|multiplied by|squared|cubed)\b/, // 17 times 23
  /\b[a-z]\^\d/, // x^2
  /\d ?[-+*/] ?\d+ ?=/, // 5+6=
  /(?:what(?:'s| is)|how much is) \d[\d.,]* ?[-+*/x] ?\d/, // what is 3 x 4
];
/** A message of up to four words without a question counts as a search. */
const BARE = /^\S+(\s+\S+){0,3}$/;
/** A wish may follow a story: each part of a message is read separately. */
const PARTS = new RegExp(
  [
    /[.!?;\n]+/, // between sentences
    /,? (?:and|but|so|then) (?=(?:can|could|would|where|which|what|please|find|i) )/, // "I like it, but where can I …"
    /, (?=(?:can|could|where|which|what|any) )/, // "I have 100 dollars, which one …"
  ]
    .map(({ source }) => source)
    .join('|'),
);

function detectEnglishIntent(message: string, saysNeed: boolean, english: EnglishPatterns): MessageIntent {
  const text = message.toLowerCase().replaceAll('’', "'").trim();
  const parts = text.split(PARTS).map((part) => part.trim());
  const isChore =
    isDone(parts, english) ||
    isSum(text) ||
    english.supportCase.test(text) ||
    (english.chore.test(text) && (!english.howTo.test(text) || english.owned.test(text)));
  const isOther = isChore || (english.task.test(text) && !english.plan.test(text)) || english.count.test(text);
  const isBare = !text.includes('?') && BARE.test(text);
  const isWanted = isBare || (saysNeed && !isAnswered(text, english));
  const wishes = !isOther && (isWanted || parts.some((part) => isWish(part, english)));
  return { wishes: wishes ? 1 : 0, buys: wishes && english.buy.test(text) ? 1 : 0, chore: isChore ? 1 : 0 };
}

/** Whether a message has something to calculate. Most messages have no digit, which is fast to find out. */
const isSum = (text: string): boolean => /\d/.test(text) && ARITHMETIC.some((signs) => signs.test(text));

/** Whether the user no longer wants what they wanted, and wants nothing else instead. */
const isDone = (parts: readonly string[], english: EnglishPatterns): boolean =>
  parts.some((part) => english.done.test(part)) &&
  !parts
    .map((part) => part.replace(english.done, ''))
    .some((part) => isWish(part, english) || english.another.test(part));

const isWish = (part: string, english: EnglishPatterns): boolean =>
  english.wish.test(part) && !isAnswered(part, english);

/** Whether this part of the message calls for no product. */
const isAnswered = (part: string, { fact, owned, fond }: EnglishPatterns): boolean =>
  fact.test(part) || owned.test(part) || fond.test(part);

/** In a language without spaces, up to this many characters without a question count as a search. */
const MAX_BARE_CHARACTERS = 8;
/** Bounds the work: folding can turn one character into eighteen, and the patterns look for an ending after each. */
const MAX_FOLDED_LENGTH = 2_000;
/** A wish may follow a story: each sentence is read separately. */
const SENTENCES = /(?<=[?？؟])|[.!;\n。！]+/;

/** Detects the intent of a message in another language than English, or none for a language without lists. */
function detectIntentByWords(message: string, language: string, table: IntentWordsTable): MessageIntent {
  const patterns = table.get(language);
  if (!patterns) return NO_INTENT;
  const text = fold(message).slice(0, MAX_FOLDED_LENGTH).replaceAll('’', "'").trim();
  const isChore = patterns.chore.test(text);
  const isBareWish = isBareByWords(text, language) && !patterns.fact.test(text);
  const affirmed = text.replaceAll(NEGATED_WISH.get(language) ?? /$^/gu, '');
  const wishes = !isChore && (isBareWish || affirmed.split(SENTENCES).some((part) => isWishByWords(part, patterns)));
  return { wishes: wishes ? 1 : 0, buys: wishes && patterns.buy.test(text) ? 1 : 0, chore: isChore ? 1 : 0 };
}

const isWishByWords = (part: string, { wish, buy, fact }: IntentPatterns): boolean =>
  (wish.test(part) || buy.test(part)) && !fact.test(part);

const isBareByWords = (text: string, language: string): boolean =>
  !/[?？؟]/.test(text) && (isUnspacedLanguage(language) ? text.length <= MAX_BARE_CHARACTERS : BARE.test(text));
