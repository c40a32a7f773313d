import { fingerprint, fingerprintSuffixes } from '../text/fingerprint.ts';
import { fold, foldCase } from '../text/fold.ts';
import { stem } from '../text/stem.ts';
import { MAX_WORD_LENGTH } from '../text/token-scanner.ts';
import { DEFAULT_SPLITTING, splitToken, type WordSplitting } from '../text/words.ts';
import type { DetectedLanguage } from './detector.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { STEMMERS } from './stemmers.ts';

/** Languages that write compound nouns as one word. */
const COMPOUNDING_LANGUAGES = new Set(['da', 'de', 'ko', 'nl', 'no', 'sv']);
/** Minimum letters of a compound's head, and of the part before it. */
const MIN_HEAD_LENGTH = 4;
const MIN_MODIFIER_LENGTH = 3;
/** Minimum of both parts in Korean. */
const MIN_KOREAN_SYLLABLES = 2;
const NO_PARTS: readonly number[] = [];
/**
 * Heads that only say what someone wants to do with the first part. In other compounds the head is the product: a coffee machine is a
 * machine, not coffee.
 */
const GENERIC_HEADS =
  /^(.{4,}?)(?:buchung|reservierung|empfehlung|bestellung|lieferung|suche|vergleich|angebot|preis|gutschein|ticket|karte|tipp|test|kauf|shop|laden|zimmer)(?:e|en|n|s)?$/;

/**
 * Heads that are too short to name the thing: a railway (Eisenbahn) is not a track, a hospital (Krankenhaus) is not a
 * house.
 */
const EXCLUDED_HEADS = new Set('haus bahn zeit welt werk teil land hand mann frau kind heim'.split(' '));

/**
 * Fingerprints of the parts of a compound that keywords may name, the likeliest first: in German the part before a
 * generic head, then the word's suffixes, the longest first. Only hashes, because a word has as many suffixes as
 * letters.
 *
 * @param stem the word's stem
 * @param stemOf stems another word
 */
function fingerprintCompoundParts(
  word: string,
  stem: string,
  language: string,
  stemOf: (word: string) => string,
): readonly number[] {
  if (!COMPOUNDING_LANGUAGES.has(language)) return NO_PARTS;
  const [modifierLength, headLength] =
    language === 'ko' ? [MIN_KOREAN_SYLLABLES, MIN_KOREAN_SYLLABLES] : [MIN_MODIFIER_LENGTH, MIN_HEAD_LENGTH];
  const heads = fingerprintSuffixes(stem, headLength, stem.length - modifierLength);
  if (heads.length > 0 && EXCLUDED_HEADS.has(stem.slice(-headLength))) heads.pop();
  const modifier = language === 'de' ? GENERIC_HEADS.exec(word)?.[1] : undefined;
  if (modifier === undefined) return heads;
  return [fingerprint(stemOf(modifier)), fingerprint(stemOf(modifier.replace(/[sn]$/, ''))), ...heads];
}

/** Languages that attach an article or pronoun with an apostrophe: "l'hôtel". */
const ELIDING_LANGUAGES = new Set(['fr', 'it']);
const NO_WORDS: ReadonlySet<string> = new Set();

/** The forms used to look up a word. */
interface WordForms {
  /** Without accents. */
  folded: string;
  /** Stemmed like the words of the lexicon, which are English. */
  plain: string;
  /** Stems under which keywords may store the word, the likeliest first. */
  stems: readonly string[];
  /** Whether the word says nothing about the topic. */
  isFunctionWord: boolean;
}

/** How the words of a text are split and looked up. */
export interface WordRules extends WordSplitting {
  /** Distinguishes cached words: the same letters may be different words under different rules. */
  id: number;
  /** The language if it is sure and not English. */
  language: string | undefined;
  /** Number of stems stored per keyword word: two if the language is a guess. */
  stemsPerKeyword: number;
  getForms(word: string): WordForms;
  /** Fingerprints of the compound's parts that may match keywords. Empty if the language is a guess. @param stem the word's first stem */
  getPartFingerprints(word: string, stem: string): readonly number[];
}

const getNoParts = (): readonly number[] => NO_PARTS;

/** For English, and for languages that are unknown or have no rules. */
export const DEFAULT_WORD_RULES: WordRules = {
  ...DEFAULT_SPLITTING,
  id: 0,
  language: undefined,
  stemsPerKeyword: 1,
  getForms(word) {
    const plain = stem(word);
    return { folded: word, plain, stems: [plain], isFunctionWord: false };
  },
  getPartFingerprints: getNoParts,
};

/** The rules by language. A guessed language only adds a second stem, used if no keyword has the first. */
export class WordRulesTable {
  readonly #rules = new Map<string, WordRules>();

  get({ code, isSure }: DetectedLanguage): WordRules {
    const stemmer = STEMMERS[code];
    if (stemmer === undefined) return DEFAULT_WORD_RULES;
    const name = isSure ? code : `${code}?`;
    const cached = this.#rules.get(name);
    if (cached) return cached;
    const rules = createWordRules(code, isSure, stemmer, 1 + this.#rules.size);
    this.#rules.set(name, rules);
    return rules;
  }
}

function createWordRules(code: string, isSure: boolean, stemmer: (word: string) => string, id: number): WordRules {
  const functionWords = isSure ? new Set((FUNCTION_WORDS[code] ?? '').split(' ')) : NO_WORDS;
  const stemOf = (word: string) => fold(stemmer(word)) || fold(word);
  return {
    id,
    language: isSure ? code : undefined,
    stemsPerKeyword: isSure ? 1 : 2,
    fold: foldCase,
    split: isSure && ELIDING_LANGUAGES.has(code) ? splitElided : splitToken,
    stopWords: isSure ? NO_WORDS : DEFAULT_SPLITTING.stopWords,
    getForms(word) {
      if (word.length > MAX_WORD_LENGTH) return { folded: word, plain: word, stems: [word], isFunctionWord: false };
      const folded = fold(word);
      const plain = stem(folded);
      const nativeStem = fold(stemmer(word)) || folded;
      const stems = nativeStem === plain ? [nativeStem] : isSure ? [nativeStem, plain] : [plain, nativeStem];
      return { folded, plain, stems, isFunctionWord: functionWords.has(folded) };
    },
    getPartFingerprints: isSure ? (word, stem) => fingerprintCompoundParts(word, stem, code, stemOf) : getNoParts,
  };
}

/** Splits "l'hôtel" and "dell'hotel" into two words each. */
const splitElided = (token: string): readonly string[] => token.split(/['’]/).flatMap(splitToken).filter(Boolean);
