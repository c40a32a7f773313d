import { type AskingPatterns, type AskingWordsTable, isJoined } from '../lexicon/asking-words.ts';
import { fold } from '../text/fold.ts';
import type { Asking } from './asked.ts';

/** So few words, without a question, are what is searched for; of languages without spaces, so few characters. */
const BARE = /^\S+(\s+\S+){0,3}$/;
const MOST_BARE_SIGNS = 8;
/** Characters of a folded message that are read. Folding makes up to eighteen of one, and the patterns look behind each for its ending. */
const MOST_FOLDED = 2_000;
/** One may tell what happened first: each part is read by itself. */
const PARTS = /(?<=[?？؟])|[.!;\n。！]+/;

/** How somebody asks in another language than English, as far as lists of words tell; where there are none, nothing is told. */
export function askingByWords(message: string, language: string, table: AskingWordsTable): Asking {
  const patterns = table.of(language);
  if (!patterns) return { wishes: 0, buys: 0, chore: 0, isUnclear: true };
  const text = fold(message).slice(0, MOST_FOLDED).replaceAll('’', "'").trim();
  const isChore = patterns.chore.test(text);
  const isFact = patterns.fact.test(text);
  const isBareWish = !isFact && isBare(text, language);
  const wishes = !isChore && (isBareWish || text.split(PARTS).some((part) => isWish(part, patterns)));
  const isUnclear = !wishes && !isChore && !isFact;
  return { wishes: wishes ? 1 : 0, buys: wishes && patterns.buy.test(text) ? 1 : 0, chore: isChore ? 1 : 0, isUnclear };
}

const isWish = (part: string, { wish, buy, fact }: AskingPatterns): boolean =>
  (wish.test(part) || buy.test(part)) && !fact.test(part);

const isBare = (text: string, language: string): boolean =>
  !/[?？؟]/.test(text) && (isJoined(language) ? text.length <= MOST_BARE_SIGNS : BARE.test(text));
