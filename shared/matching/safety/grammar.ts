import { stem } from '../text/stem.ts';
import { PLAIN_CUTTING } from '../text/words.ts';

/** An unsafe context by name; or a part of one, that makes one only together with another (`minor`, `alcohol`). */
export type Harm = string;

/** What a rule asks for next: a word of one of these classes, with at most `gap` words before it. */
export interface RuleStep {
  groups: readonly number[];
  gap: number;
}

export interface Rule {
  /** As it is written. */
  line: string;
  harm: Harm;
  steps: readonly RuleStep[];
  /** Classes of which no word may stand in the same sentence. */
  unless: readonly number[];
  /** The class that the rule's first and last word are given, for the rules after it; -1 for a rule that tells of harm. */
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

export interface Grammar {
  /** By class of their first word, the rules that mark words, and those that tell of harm. */
  marking: ReadonlyMap<number, readonly Rule[]>;
  telling: ReadonlyMap<number, readonly Rule[]>;
  byStem: ReadonlyMap<string, readonly number[]>;
  byWord: ReadonlyMap<string, readonly number[]>;
  byName: ReadonlyMap<string, readonly number[]>;
  classes: number;
  /** Classes that a word may have that is not looked at before a message is read again. */
  unseen: readonly number[];
  /** All rules, those that mark words first. */
  rules: readonly Rule[];
}

/** The classes that a folded word has however it is written. */
export const classesOf = (word: string, { byStem, byWord }: Pick<Grammar, 'byStem' | 'byWord'>): number[] => [
  ...(byStem.get(stem(word)) ?? []),
  ...(byWord.get(word) ?? []),
];

/** The classes {Name} and {Owner}: a word with a capital inside a sentence, and such a word that owns something, "Anna's". */
export const [NAME, POSSESSOR] = [0, 1] as const;

export function loadGrammar({ classes, rules, stems, words, names }: CompiledGrammar): Grammar {
  return {
    classes,
    unseen: [NAME, POSSESSOR, ...words.flatMap(([word, groups]) => (PLAIN_CUTTING.stopWords.has(word) ? groups : []))],
    rules: [...rules.filter(({ marks }) => marks >= 0), ...rules.filter(({ marks }) => marks < 0)],
    marking: byFirst(rules.filter(({ marks }) => marks >= 0)),
    telling: byFirst(rules.filter(({ marks }) => marks < 0)),
    byStem: new Map(stems),
    byWord: new Map(words),
    byName: new Map(names),
  };
}

function byFirst(rules: readonly Rule[]): Map<number, Rule[]> {
  const found = new Map<number, Rule[]>();
  for (const rule of rules)
    for (const group of rule.steps[0]!.groups) found.set(group, [...(found.get(group) ?? []), rule]);
  return found;
}
