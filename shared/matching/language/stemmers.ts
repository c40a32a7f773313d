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
import { stemKorean, stemPolish } from './endings.ts';

const asIs = (word: string): string => word;

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
  ja: asIs,
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
  th: asIs,
  tr: turkish,
  uk: ukrainian,
  zh: asIs,
};
