import { fingerprint, fingerprintSuffixes } from '../text/fingerprint.ts';
import { fold, foldCase } from '../text/fold.ts';
import { stem } from '../text/stem.ts';
import { MAX_WORD_LENGTH } from '../text/token-scanner.ts';
import { DEFAULT_SPLITTING, splitToken, type WordSplitting } from '../text/words.ts';
import type { DetectedLanguage } from './detector.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { STEMMERS } from './stemmers.ts';

/** Languages that write a noun and what it is for as one word. */
const COMPOUNDING_LANGUAGES = new Set(['da', 'de', 'ko', 'nl', 'no', 'sv']);
/** Least letters of a head that is looked for, and of what stands before it. */
const MIN_HEAD_LENGTH = 4;
const MIN_MODIFIER_LENGTH = 3;
/** In Korean, of either. */
const MIN_KOREAN_SYLLABLES = 2;
const NO_PARTS: readonly number[] = [];
/**
 * Heads that say only what somebody wants with the thing before them. Of other compounds the head is the thing: a coffee machine is a
 * machine, no coffee.
 */
const GENERIC_HEADS =
  /^(.{4,}?)(?:buchung|reservierung|empfehlung|bestellung|lieferung|suche|vergleich|angebot|preis|gutschein|ticket|karte|tipp|test|kauf|shop|laden|zimmer)(?:e|en|n|s)?$/;

/** Ends that are too short to be the thing itself: a railway is no path, a hospital no house. */
const EXCLUDED_HEADS = new Set('haus bahn zeit welt werk teil land hand mann frau kind heim'.split(' '));

/**
 * Fingerprints of what else a compound may be asked for as, likelier first: in German what stands before an end that says nothing, then
 * its ends, the longest first. A word has as many ends as letters: none of them is made a string.
 *
 * @param stem of the word
 * @param stemOf gives the stem of another
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

/** Languages that write an article or pronoun with an apostrophe before its word: "l'hôtel". */
const ELIDING_LANGUAGES = new Set(['fr', 'it']);
const NO_WORDS: ReadonlySet<string> = new Set();

/** What a word of a language is known by. */
interface WordForms {
  /** Without accents too. */
  folded: string;
  /** As the lexicon has it, whose words are English. */
  plain: string;
  /** What keywords are looked for by, the likeliest first. */
  stems: readonly string[];
  /** Whether it says nothing of what is talked about. */
  isFunctionWord: boolean;
}

/** How the words of a text are cut and looked up. */
export interface WordRules extends WordSplitting {
  /** Other rules have another: of each the same letters may be another word. */
  id: number;
  /** The language that they surely are of, other than English. */
  language: string | undefined;
  /** How many of a word's stems keywords are kept by: two where their language is a guess. */
  stemsPerKeyword: number;
  getForms(word: string): WordForms;
  /** Fingerprints of the parts of a compound that keywords may name it by; none where its language is a guess. @param stem its first one */
  getPartFingerprints(word: string, stem: string): readonly number[];
}

const getNoParts = (): readonly number[] => NO_PARTS;

/** The rules for English, and for languages that have none of their own or cannot be told. */
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

/** The rules by language. A guess decides how words are stemmed when no keyword has them as they are; nothing else. */
export class WordRulesTable {
  readonly #rules = new Map<string, WordRules>();

  get({ code, isSure }: DetectedLanguage): WordRules {
    const stemmer = STEMMERS[code];
    if (stemmer === undefined) return DEFAULT_WORD_RULES;
    const name = isSure ? code : `${code}?`;
    const known = this.#rules.get(name);
    if (known) return known;
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
      const own = fold(stemmer(word)) || folded;
      const stems = own === plain ? [own] : isSure ? [own, plain] : [plain, own];
      return { folded, plain, stems, isFunctionWord: functionWords.has(folded) };
    },
    getPartFingerprints: isSure ? (word, stem) => fingerprintCompoundParts(word, stem, code, stemOf) : getNoParts,
  };
}

/** "l'hôtel" is two words, and so is "dell'hotel". */
const splitElided = (token: string): readonly string[] => token.split(/['’]/).flatMap(splitToken).filter(Boolean);
