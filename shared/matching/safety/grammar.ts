import { stem } from '../text/stem.ts';
import { DEFAULT_SPLITTING } from '../text/words.ts';

/**
 * The name of an unsafe context, or of a part of one that is unsafe only together with another (`minor`, `alcohol`).
 */
export type Harm = string;

/** A step of a rule: a word of one of these classes, preceded by at most `gap` words, none of them "for" if the word is an object. */
export interface RuleStep {
  groups: readonly number[];
  gap: number;
  isObject: boolean;
}

export interface Rule {
  harm: Harm;
  steps: readonly RuleStep[];
  /** The step with the rarest words. The rule is tried only where one of them appears. */
  anchor: number;
  /** Classes that must not appear in the same sentence. */
  unless: readonly number[];
  /**
   * The class that later rules see on the first and last word of a match; HARMLESS for a rule that hides its words; -1
   * for a rule that reports harm.
   */
  marks: number;
}

/** The rules as the build writes them. Words come with their classes, by number. */
export interface CompiledGrammar {
  /** The number of word classes. */
  classes: number;
  rules: readonly Rule[];
  /** Words by stem, by exact spelling, and by exact spelling with a capital. */
  stems: readonly WordClasses[];
  words: readonly WordClasses[];
  names: readonly WordClasses[];
}

type WordClasses = [word: string, groups: number[]];

/** A rule with its number. Marking rules have the lowest numbers. */
export interface NumberedRule extends Rule {
  number: number;
  /** The range of its classes in the grammar's `requiredClasses`. */
  requiredStart: number;
  requiredEnd: number;
}

export const END_OF_STEP = -1;

export interface Grammar {
  rules: readonly NumberedRule[];
  /**
   * For each rule, the classes of every step except the anchor, the last step first, with END_OF_STEP after each. One
   * flat array, because it is read often.
   */
  requiredClasses: Int32Array;
  /** The classes of the words seen so far. */
  classLists: ClassLists;
  /** By class, the rules anchored at it: those that mark words, and those that report harm. */
  markingRules: readonly (readonly NumberedRule[])[];
  harmRules: readonly (readonly NumberedRule[])[];
  byStem: ReadonlyMap<string, readonly number[]>;
  byWord: ReadonlyMap<string, readonly number[]>;
  byName: ReadonlyMap<string, readonly number[]>;
  /** Stop words that have classes. Splitting leaves stop words out and keeps only these flags. */
  stopWords: ReadonlyMap<string, { flag: number; groups: readonly number[] }>;
  /** Stand-ins for the names in a message: without any, with some, with some in the possessive. */
  names: { none: ClassedWord; some: ClassedWord; owning: ClassedWord };
}

/** A word as the rules see it. */
export interface ClassedWord {
  /** Its classes. */
  groups: readonly number[];
  /** The rules to try where it appears: those that mark words, and those that report harm. */
  markingRules: readonly NumberedRule[];
  harmRules: readonly NumberedRule[];
  /** Whether it may appear between two steps of a rule without counting. */
  isSkipped: boolean;
  /** Whether the word is "for": something done for a person is not done to them. */
  isFor: boolean;
}

/** A word without and with a capital, as the rules see it. */
export interface SafetyWord {
  plain: ClassedWord;
  asName: ClassedWord;
}

/**
 * Classes that are not in the lists of words: {Name}, a word with a capital inside a sentence; {Owner}, such a word in
 * the possessive ("Anna's"); and the class that rules give to harmless phrases.
 */
export const [NAME, POSSESSOR, HARMLESS] = [0, 1, 2] as const;

/** May appear between two steps of a rule without counting. */
const SKIPPED = new Set(
  'a an the my your his her its our their this that these those some any please just really very all own'.split(' '),
);
const NO_GROUPS: readonly number[] = [];
const unknownWord = ({ isSkipped = false, isFor = false } = {}): SafetyWord => {
  const plain = { groups: [], markingRules: [], harmRules: [], isSkipped, isFor };
  return { plain, asName: plain };
};
const UNKNOWN = unknownWord();
const UNKNOWN_SKIPPED = unknownWord({ isSkipped: true });
const UNKNOWN_FOR = unknownWord({ isFor: true });

type WordTables = Pick<Grammar, 'byStem' | 'byWord' | 'byName' | 'markingRules' | 'harmRules'>;

/** A folded word as the rules see it. `stem` is the word's stem. */
export function toSafetyWord(word: string, stem: string, tables: WordTables): SafetyWord {
  const unknown = word === 'for' ? UNKNOWN_FOR : SKIPPED.has(word) ? UNKNOWN_SKIPPED : UNKNOWN;
  const stemClasses = tables.byStem.get(stem);
  const wordClasses = tables.byWord.get(word);
  const nameClasses = tables.byName.get(word) ?? NO_GROUPS;
  if (!stemClasses && !wordClasses && nameClasses.length === 0) return unknown;
  const plainClasses = [...(stemClasses ?? NO_GROUPS), ...(wordClasses ?? NO_GROUPS)];
  const plain = addClasses(unknown.plain, plainClasses, tables);
  return { plain, asName: nameClasses.length === 0 ? plain : addClasses(plain, nameClasses, tables) };
}

/** Whether the word is the anchor of a rule that may lead to harm. */
export const isAnchor = ({ asName: { markingRules, harmRules } }: SafetyWord): boolean =>
  harmRules.length > 0 || markingRules.some(({ marks }) => marks !== HARMLESS);

/** Returns the word with additional classes. */
export function addClasses(
  word: ClassedWord,
  further: readonly number[],
  { markingRules, harmRules }: Pick<Grammar, 'markingRules' | 'harmRules'>,
): ClassedWord {
  const all = [...word.groups, ...further];
  const rulesOf = (byClass: readonly (readonly NumberedRule[])[]) => [
    ...new Set(all.flatMap((group) => byClass[group]!)),
  ];
  return { ...word, groups: all, markingRules: rulesOf(markingRules), harmRules: rulesOf(harmRules) };
}

export function loadGrammar({ classes, rules, stems, words, names }: CompiledGrammar): Grammar {
  const isMarking = ({ marks }: Rule) => marks >= 0;
  const ordered = [...rules.filter(isMarking), ...rules.filter((rule) => !isMarking(rule))];
  const requiredClasses: number[] = [];
  const numbered = ordered.map((rule, number) => {
    const requiredStart = requiredClasses.length;
    return { ...rule, number, requiredStart, requiredEnd: requiredClasses.push(...getRequiredClasses(rule)) };
  });
  const markingRules = numbered.filter(isMarking);
  const tables = {
    byStem: new Map(stems),
    byWord: new Map(words),
    byName: new Map(names),
    markingRules: groupByAnchor(markingRules, classes),
    harmRules: groupByAnchor(numbered.slice(markingRules.length), classes),
  };
  const classedWords = [...DEFAULT_SPLITTING.stopWords]
    .map((word) => [word, toSafetyWord(word, stem(word), tables).plain.groups] as const)
    .filter(([, groups]) => groups.length > 0);
  return {
    ...tables,
    rules: numbered,
    requiredClasses: Int32Array.from(requiredClasses),
    classLists: new ClassLists(),
    stopWords: new Map(classedWords.map(([word, groups], bit) => [word, { flag: 1 << bit, groups }])),
    names: {
      none: UNKNOWN.plain,
      some: addClasses(UNKNOWN.plain, [NAME], tables),
      owning: addClasses(UNKNOWN.plain, [NAME, POSSESSOR], tables),
    },
  };
}

const getRequiredClasses = ({ steps, anchor }: Rule): number[] =>
  steps
    .filter((_, step) => step !== anchor)
    .reverse()
    .flatMap(({ groups }) => [...groups, END_OF_STEP]);

function groupByAnchor(rules: readonly NumberedRule[], classes: number): NumberedRule[][] {
  const found: NumberedRule[][] = Array.from({ length: classes }, () => []);
  for (const rule of rules) for (const group of rule.steps[rule.anchor]!.groups) found[group]!.push(rule);
  return found;
}

/**
 * Distinct lists of classes in one array that stays in the processor's cache, since every word of a conversation needs
 * its list. A list is identified by where it begins.
 */
class ClassLists {
  /** The length of a list, followed by its classes. The first list is empty. */
  numbers = new Int32Array(1024);
  #end = 1;
  readonly #starts = new Map<string, number>();

  add(groups: readonly number[]): number {
    if (groups.length === 0) return 0;
    const key = groups.join();
    const existing = this.#starts.get(key);
    if (existing !== undefined) return existing;
    const start = this.#end;
    this.#end += 1 + groups.length;
    if (this.#end > this.numbers.length) {
      const larger = new Int32Array(2 * this.#end);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers.set([groups.length, ...groups], start);
    this.#starts.set(key, start);
    return start;
  }
}
