import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';

/** What remains of a word without the first ending of a list that it has, as long as enough of it remains. */
function stripEnding(word: string, endings: readonly string[], least: number): string {
  const ending = endings.find((one) => word.length - one.length >= least && word.endsWith(one));
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** Longest first. */
const sortLongestFirst = (list: string): string[] => list.split(' ').sort((one, other) => other.length - one.length);

/** Korean writes particles to nouns. What looks like one in a noun goes everywhere alike. */
const KOREAN_PARTICLES = sortLongestFirst(
  '은 는 이 가 을 를 에 의 와 과 도 만 로 으로 에서 에게 한테 께 까지 부터 보다 처럼 마다 이나 나 이랑 랑 하고 이라도 라도 에는 에도 에서는 으로는 들',
);
const MIN_SYLLABLES = 2;

/** Without its particles, of which one may follow the other. */
function stemKorean(word: string): string {
  const rest = stripEnding(word, KOREAN_PARTICLES, MIN_SYLLABLES);
  return rest === word ? word : stemKorean(rest);
}

/** Endings of Polish nouns and adjectives; no Snowball stemmer of it is on npm. */
const POLISH_ENDINGS = sortLongestFirst(
  'ami ach owi om ów ego emu ymi imi ych ich iego iemu ie em iem ą ę y i e a u o ej iej',
);
const MIN_LETTERS = 3;

/** Without one ending: a second would be part of the word. */
const stemPolish = (word: string): string => stripEnding(word, POLISH_ENDINGS, MIN_LETTERS);

const keepWord = (word: string): string => word;

/** The stemmer writes a letter into the word where one changes in the stem, which throws: such words stay as they are. */
function stemBulgarian(word: string): string {
  try {
    return bulgarian(word);
  } catch {
    return word;
  }
}

/**
 * By language, its stemmer: those of the Snowball family, and for languages without inflection, or without a stemmer, what does as
 * well. English has its own (text/stem.ts). They take words as written, in lower case and with accents.
 */
export const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  // The article is one of the prefixes, and behind it there may be another.
  ar: (word) => arabic(arabic(word)),
  bg: stemBulgarian,
  da: danish,
  de: german,
  es: spanish,
  fi: finnish,
  fr: french,
  hi: hindi,
  hu: hungarian,
  it: italian,
  ja: keepWord,
  ko: stemKorean,
  // Malay and Indonesian are compared as one, see `comparedCode`.
  ms: indonesian,
  nl: dutch,
  no: norwegian,
  pl: stemPolish,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  th: keepWord,
  tr: turkish,
  uk: ukrainian,
  zh: keepWord,
};
