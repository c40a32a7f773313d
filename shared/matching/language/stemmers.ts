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

/** Removes the first matching ending if at least `least` characters remain. */
function stripEnding(word: string, endings: readonly string[], least: number): string {
  const ending = endings.find((one) => word.length - one.length >= least && word.endsWith(one));
  return ending === undefined ? word : word.slice(0, -ending.length);
}

const sortLongestFirst = (list: string): string[] => list.split(' ').sort((one, other) => other.length - one.length);

/**
 * Particles that Korean attaches to nouns. A noun that only looks like it has one is shortened in every form, so it still matches itself.
 */
const KOREAN_PARTICLES = sortLongestFirst(
  '은 는 이 가 을 를 에 의 와 과 도 만 로 으로 에서 에게 한테 께 까지 부터 보다 처럼 마다 이나 나 이랑 랑 하고 이라도 라도 에는 에도 에서는 으로는 들',
);
const MIN_SYLLABLES = 2;

/** Removes particles repeatedly, because one may follow another. */
function stemKorean(word: string): string {
  const rest = stripEnding(word, KOREAN_PARTICLES, MIN_SYLLABLES);
  return rest === word ? word : stemKorean(rest);
}

/** Endings of Polish nouns and adjectives. npm has no Snowball stemmer for Polish. */
const POLISH_ENDINGS = sortLongestFirst(
  'ami ach owi om ów ego emu ymi imi ych ich iego iemu ie em iem ą ę y i e a u o ej iej',
);
const MIN_LETTERS = 3;

/** Removes only one ending: a second match would be part of the word. */
const stemPolish = (word: string): string => stripEnding(word, POLISH_ENDINGS, MIN_LETTERS);

const keepWord = (word: string): string => word;

/** For some stem changes, the stemmer throws because it assigns to a string index. Such words stay as they are. */
function stemBulgarian(word: string): string {
  try {
    return bulgarian(word);
  } catch {
    return word;
  }
}

/**
 * Stemmers by language: Snowball stemmers, and simpler ones for languages without inflection or without a Snowball
 * stemmer. English has its own (text/stem.ts). They expect lower case with accents.
 */
export const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  // The article is one of the prefixes, and another prefix may follow it.
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
  // Malay and Indonesian count as one language, see `canonicalLanguage`.
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
