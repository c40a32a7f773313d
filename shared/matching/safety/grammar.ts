import { stem } from '../text/stem.ts';
import { DEFAULT_SPLITTING } from '../text/words.ts';

/** An unsafe context by name; or a part of one, that makes one only together with another (`minor`, `alcohol`). */
export type Harm = string;

/** What a rule asks for next: a word of one of these classes, with at most `gap` words before it, among which an object has no "for". */
export interface RuleStep {
  groups: readonly number[];
  gap: number;
  isObject: boolean;
}

export interface Rule {
  harm: Harm;
  steps: readonly RuleStep[];
  /** The step whose words are the rarest: the rule is looked at only where one stands. */
  anchor: number;
  /** Classes of which no word may stand in the same sentence. */
  unless: readonly number[];
  /**
   * The class that the rule's first and last word are given, for the rules after it; HARMLESS for a rule that takes its words out, -1
   * for one that tells of harm.
   */
  marks: number;
}

/** The rules as the build writes them. Words stand with their classes, by number. */
export interface CompiledGrammar {
  /** How many classes of words there are. */
  classes: number;
  rules: readonly Rule[];
  /** Words by their stem, as they are written, and as they are written with a capital. */
  stems: readonly WordClasses[];
  words: readonly WordClasses[];
  names: readonly WordClasses[];
}

type WordClasses = [word: string, groups: number[]];

/** A rule by its number: those that mark words have the lowest. */
export interface NumberedRule extends Rule {
  number: number;
  /** Where the grammar's `asked` has what it asks for, and where that ends. */
  requiredStart: number;
  requiredEnd: number;
}

export const END_OF_STEP = -1;

export interface Grammar {
  rules: readonly NumberedRule[];
  /** Of all rules, the classes of each step but the anchor, the last step first, with END_OF_STEP behind each: quick to read. */
  requiredClasses: Int32Array;
  /** The classes of words that were met. */
  classLists: ClassLists;
  /** By class, the rules whose rarest step it is of: those that mark words, and those that tell of harm. */
  markingRules: readonly (readonly NumberedRule[])[];
  harmRules: readonly (readonly NumberedRule[])[];
  byStem: ReadonlyMap<string, readonly number[]>;
  byWord: ReadonlyMap<string, readonly number[]>;
  byName: ReadonlyMap<string, readonly number[]>;
  /** Stop words that have classes: they are left out where a conversation is cut into words, but for a flag each. */
  stopWords: ReadonlyMap<string, { flag: number; groups: readonly number[] }>;
  /** Words that stand for the names of a message: without any, with some, with some that own something. */
  names: { none: ClassedWord; some: ClassedWord; owning: ClassedWord };
}

/** A word as the rules see it. */
export interface ClassedWord {
  /** Its classes. */
  groups: readonly number[];
  /** The rules that are looked at where it stands: those that mark words, and those that tell of harm. */
  markingRules: readonly NumberedRule[];
  harmRules: readonly NumberedRule[];
  /** Whether it may stand between two steps of a rule, as if it were not there. */
  isSkipped: boolean;
  /** Whether it is "for": what is done for somebody is not done to them. */
  isFor: boolean;
}

/** What the rules know of a word without a capital, and with one. */
export interface SafetyWord {
  plain: ClassedWord;
  asName: ClassedWord;
}

/**
 * The classes {Name} and {Owner}: a word with a capital inside a sentence, and such a word that owns something, "Anna's". The third is
 * given by rules to phrases that are harmless whatever their words are.
 */
export const [NAME, POSSESSOR, HARMLESS] = [0, 1, 2] as const;

/** May stand between two steps of a rule. */
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

/** What the rules know of a folded word, whose stem is this. */
export function toSafetyWord(word: string, stem: string, tables: WordTables): SafetyWord {
  const unknown = word === 'for' ? UNKNOWN_FOR : SKIPPED.has(word) ? UNKNOWN_SKIPPED : UNKNOWN;
  const ofStem = tables.byStem.get(stem);
  const ofWord = tables.byWord.get(word);
  const named = tables.byName.get(word) ?? NO_GROUPS;
  if (!ofStem && !ofWord && named.length === 0) return unknown;
  const common = [...(ofStem ?? NO_GROUPS), ...(ofWord ?? NO_GROUPS)];
  const plain = addClasses(unknown.plain, common, tables);
  return { plain, asName: named.length === 0 ? plain : addClasses(plain, named, tables) };
}

/** Whether a rule that may lead to harm is looked at because of a word. */
export const isAnchor = ({ asName: { markingRules, harmRules } }: SafetyWord): boolean =>
  harmRules.length > 0 || markingRules.some(({ marks }) => marks !== HARMLESS);

/** A word with further classes. */
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
  const classed = [...DEFAULT_SPLITTING.stopWords]
    .map((word) => [word, toSafetyWord(word, stem(word), tables).plain.groups] as const)
    .filter(([, groups]) => groups.length > 0);
  return {
    ...tables,
    rules: numbered,
    requiredClasses: Int32Array.from(requiredClasses),
    classLists: new ClassLists(),
    stopWords: new Map(classed.map(([word, groups], bit) => [word, { flag: 1 << bit, groups }])),
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
 * Lists of classes, each once, side by side in one array that stays in the processor's caches: all words of a conversation are asked
 * for theirs. A list is known by where it begins.
 */
class ClassLists {
  /** How many classes a list has, and behind it these; the first list is empty. */
  numbers = new Int32Array(1024);
  #end = 1;
  readonly #known = new Map<string, number>();

  add(groups: readonly number[]): number {
    if (groups.length === 0) return 0;
    const key = groups.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const start = this.#end;
    this.#end += 1 + groups.length;
    if (this.#end > this.numbers.length) {
      const larger = new Int32Array(2 * this.#end);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers.set([groups.length, ...groups], start);
    this.#known.set(key, start);
    return start;
  }
}
