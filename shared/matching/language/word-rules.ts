import { fold, foldCase } from '../text/fold.ts';
import { stem } from '../text/stem.ts';
import { PLAIN_CUTTING, splitToken, type WordCutting } from '../text/words.ts';
import { partsOf } from './compounds.ts';
import type { DetectedLanguage } from './detector.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { STEMMERS } from './stemmers.ts';

/** Languages that write an article or pronoun with an apostrophe before its word: "l'hôtel". */
const ELIDING = new Set(['fr', 'it']);
const NOTHING: ReadonlySet<string> = new Set();

/** What a word of a language is known by. */
interface WordForms {
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
}

/** The rules for English, and for languages that have none of their own or cannot be told. */
export const PLAIN_RULES: WordRules = {
  ...PLAIN_CUTTING,
  id: 0,
  language: undefined,
  stemsKept: 1,
  formsOf(word) {
    const plain = stem(word);
    return { plain, stems: [plain], isFunctionWord: false };
  },
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
      const folded = fold(word);
      const plain = stem(folded);
      const own = stemOf(word);
      const stems = isSure ? [own, plain, ...partsOf(word, code, stemOf)] : [plain, own];
      return { plain, stems: [...new Set(stems)], isFunctionWord: functionWords.has(folded) };
    },
  };
}

/** "l'hôtel" is two words, and so is "dell'hotel". */
const splitElided = (token: string): string[] => token.split(/['’]/).flatMap(splitToken).filter(Boolean);
