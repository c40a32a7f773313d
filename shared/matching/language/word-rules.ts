import { fold, foldCase } from '../text/fold.ts';
import { stem } from '../text/stem.ts';
import { LONGEST_WORD } from '../text/token-scanner.ts';
import { PLAIN_CUTTING, splitToken, type WordCutting } from '../text/words.ts';
import { compoundParts } from './compounds.ts';
import type { DetectedLanguage } from './detector.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { STEMMERS } from './stemmers.ts';

/** Languages that write an article or pronoun with an apostrophe before its word: "l'hôtel". */
const ELIDING = new Set(['fr', 'it']);
const NOTHING: ReadonlySet<string> = new Set();

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
export interface WordRules extends WordCutting {
  /** Other rules have another: of each the same letters may be another word. */
  id: number;
  /** The language that they surely are of, other than English. */
  language: string | undefined;
  /** How many of a word's stems keywords are kept by: two where their language is a guess. */
  stemsKept: number;
  formsOf(word: string): WordForms;
  /** Fingerprints of the parts of a compound that keywords may name it by; none where its language is a guess. @param stem its first one */
  partsOf(word: string, stem: string): readonly number[];
}

const NOTHING_ELSE: readonly number[] = [];
const NO_PARTS = (): readonly number[] => NOTHING_ELSE;

/** The rules for English, and for languages that have none of their own or cannot be told. */
export const PLAIN_RULES: WordRules = {
  ...PLAIN_CUTTING,
  id: 0,
  language: undefined,
  stemsKept: 1,
  formsOf(word) {
    const plain = stem(word);
    return { folded: word, plain, stems: [plain], isFunctionWord: false };
  },
  partsOf: NO_PARTS,
};

/** The rules by language. A guess decides how words are stemmed when no keyword has them as they are; nothing else. */
export class WordRulesTable {
  readonly #rules = new Map<string, WordRules>();

  of({ code, isSure }: DetectedLanguage): WordRules {
    const stemmer = STEMMERS[code];
    if (stemmer === undefined) return PLAIN_RULES;
    const name = isSure ? code : `${code}?`;
    const known = this.#rules.get(name);
    if (known) return known;
    const rules = rulesOf(code, isSure, stemmer, 1 + this.#rules.size);
    this.#rules.set(name, rules);
    return rules;
  }
}

function rulesOf(code: string, isSure: boolean, stemmer: (word: string) => string, id: number): WordRules {
  const functionWords = isSure ? new Set((FUNCTION_WORDS[code] ?? '').split(' ')) : NOTHING;
  const stemOf = (word: string) => fold(stemmer(word)) || fold(word);
  return {
    id,
    language: isSure ? code : undefined,
    stemsKept: isSure ? 1 : 2,
    fold: foldCase,
    split: isSure && ELIDING.has(code) ? splitElided : splitToken,
    stopWords: isSure ? NOTHING : PLAIN_CUTTING.stopWords,
    formsOf(word) {
      if (word.length > LONGEST_WORD) return { folded: word, plain: word, stems: [word], isFunctionWord: false };
      const folded = fold(word);
      const plain = stem(folded);
      const own = fold(stemmer(word)) || folded;
      const stems = own === plain ? [own] : isSure ? [own, plain] : [plain, own];
      return { folded, plain, stems, isFunctionWord: functionWords.has(folded) };
    },
    partsOf: isSure ? (word, stem) => compoundParts(word, stem, code, stemOf) : NO_PARTS,
  };
}

/** "l'hôtel" is two words, and so is "dell'hotel". */
const splitElided = (token: string): readonly string[] => token.split(/['’]/).flatMap(splitToken).filter(Boolean);
