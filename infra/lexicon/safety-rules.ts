import { readdirSync, readFileSync } from 'node:fs';
import {
  type CompiledGrammar,
  DEFAULT_SPLITTING,
  type FrequencyBands,
  fold,
  getRarity,
  HARMLESS,
  type Harm,
  NAME,
  POSSESSOR,
  type Rule,
  type RuleStep,
  stem,
} from '../../shared/matching/index.ts';
import { SAFETY_TEXTS } from './paths.ts';

/** The rule texts in the order of their file names: shared lists come first. */
export const readSafetyTexts = (): string =>
  readdirSync(SAFETY_TEXTS)
    .sort()
    .map((file) => readFileSync(new URL(file, SAFETY_TEXTS), 'utf8'))
    .join('\n');

const GAPS = new Map([
  ['.', 2],
  ['..', 5],
  ['...', 30],
]);
/** For an object step. */
const OBJECT_GAPS = new Map([
  ['>', 2],
  ['>>', 5],
]);

/** Commonness of stop words (never an anchor), of capitalized words, and of possessors. */
const STOP_WORD_COMMONNESS = Number.POSITIVE_INFINITY;
const CAPITAL_COMMONNESS = 100;
const OWNER_COMMONNESS = 0.1;

/**
 * Compiles rules. A line is one of
 *
 *     list name: words          a class of words; {other} includes another class; =word matches only this form; Word matches only
 *                               with a capital; accents are allowed
 *     [harm] unless words       starts a section; its rules do not match a sentence that contains one of these words
 *     step step - words         a rule, and words that prevent it from matching. A step is a word, a/choice, or {class}.
 *                               After . .. or ... up to 2, 5, or 30 words may precede the step. After > or >> the same, but the
 *                               step is the object, so "for" must not precede it
 *     [harmless]                starts rules for phrases whose words no other rule may use
 *     $name: step step          adds the first and the last word to a class that other lines use
 *
 * Lines that start with # are comments. Articles and possessive pronouns may precede any step.
 */
export function compileRules(text: string, bands: FrequencyBands = new Map()): CompiledGrammar {
  const reader = new RuleReader(bands);
  for (const line of text.split('\n')) if (line.trim() !== '' && !line.startsWith('#')) reader.read(line.trim());
  const { stems, words, names } = reader;
  const rules = addAnchors(reader);
  return { classes: reader.classes, rules, stems: [...stems], words: [...words], names: [...names] };
}

/**
 * Sets the anchor of each rule: its rarest step. A class that rules fill is as common as they are.
 * @throws Error if all steps are stop words
 */
function addAnchors({ rules, commonness }: RuleReader): Rule[] {
  const anchored = (rule: Rule): Rule => {
    const common = rule.steps.map(({ groups }) => groups.reduce((sum, group) => sum + commonness[group]!, 0));
    const least = Math.min(...common);
    if (least === STOP_WORD_COMMONNESS) throw new Error(`A rule of "${rule.harm}" consists of stop words only`);
    if (rule.marks >= 0) commonness[rule.marks]! += least;
    return { ...rule, anchor: common.indexOf(least) };
  };
  const marking = rules.filter(({ marks }) => marks >= 0).map(anchored);
  return [...marking, ...rules.filter(({ marks }) => marks < 0).map(anchored)];
}

class RuleReader {
  readonly rules: Rule[] = [];
  readonly stems = new Map<string, number[]>();
  readonly words = new Map<string, number[]>();
  readonly names = new Map<string, number[]>();
  /** Roughly how often a sentence contains a word of each class; only for comparison. */
  readonly commonness: number[] = [CAPITAL_COMMONNESS, OWNER_COMMONNESS, 0];
  readonly #bands: FrequencyBands;
  /** Class numbers by name or words. */
  readonly #classes = new Map<string, number>([
    ['{Name}', NAME],
    ['{Owner}', POSSESSOR],
    ['{Harmless}', HARMLESS],
  ]);
  readonly #lists = new Map<string, string[]>([
    ['Name', []],
    ['Owner', []],
  ]);
  #harm: Harm = '';
  #unless: readonly number[] = [];

  constructor(bands: FrequencyBands) {
    this.#bands = bands;
  }

  get classes(): number {
    return this.#classes.size;
  }

  read(line: string): void {
    const list = /^list (\w+): (.+)$/.exec(line);
    const section = /^\[([\w-]+)\](?: unless (.+))?$/.exec(line);
    const mark = /^\$(\w+): (.+)$/.exec(line);
    if (list && this.#classes.has(`{${list[1]}}`)) throw new Error(`List "${list[1]}" is extended after its first use`);
    if (list) this.#lists.set(list[1]!, [...(this.#lists.get(list[1]!) ?? []), ...this.#words(list[2]!)]);
    else if (section) {
      this.#harm = section[1]!;
      this.#unless = section[2] ? this.#groups(section[2]) : [];
    } else if (mark) {
      const [, name = '', pattern = ''] = mark;
      if (!this.#lists.has(name)) this.#lists.set(name, []);
      this.#add(pattern, this.#class(`{${name}}`, this.#list(name)));
    } else this.#add(line, this.#harm === 'harmless' ? HARMLESS : -1);
  }

  #add(line: string, marks: number): void {
    const [pattern = '', unless] = line.split(' - ');
    const steps: RuleStep[] = [];
    let before = '';
    for (const text of pattern.split(' ')) {
      const isGap = GAPS.has(text) || OBJECT_GAPS.has(text);
      const gap = GAPS.get(before) ?? OBJECT_GAPS.get(before) ?? 0;
      if (!isGap) steps.push({ groups: this.#groups(text), gap, isObject: OBJECT_GAPS.has(before) });
      before = text;
    }
    const harmless = unless ? this.#groups(unless) : [];
    this.rules.push({ harm: this.#harm, steps, anchor: 0, marks, unless: [...this.#unless, ...harmless] });
  }

  /** The classes of a step: one per list, and one for all single words. */
  #groups(text: string): number[] {
    const parts = text.split(/[ /]/);
    const lists = parts.filter((part) => part.startsWith('{'));
    const single = parts.filter((part) => !part.startsWith('{'));
    const found = lists.map((list) => this.#class(list, this.#words(list)));
    return single.length === 0 ? found : [...found, this.#class(single.join(' '), single)];
  }

  #class(name: string, words: readonly string[]): number {
    const known = this.#classes.get(name);
    if (known !== undefined) return known;
    const number = this.#classes.size;
    this.#classes.set(name, number);
    this.commonness.push(0);
    for (const word of new Set(words)) {
      const [map, form] = this.#entry(word);
      const groups = map.get(form) ?? [];
      if (groups.at(-1) === number) continue;
      map.set(form, [...groups, number]);
      this.commonness[number]! += this.#commonnessOf(word);
    }
    return number;
  }

  /** Weighs common words far above rare ones: hundreds of rare words together are still rare. */
  #commonnessOf(word: string): number {
    const written = word.replace('=', '').toLowerCase();
    if (DEFAULT_SPLITTING.stopWords.has(written)) return STOP_WORD_COMMONNESS;
    return (1 - getRarity(stem(written), this.#bands)) ** 30 + 0.001;
  }

  /** The map that a word belongs to, and its form there. */
  #entry(word: string): [Map<string, number[]>, string] {
    if (word.startsWith('=')) return [this.words, fold(word.slice(1))];
    return /^[A-Z]/.test(word) ? [this.names, word.toLowerCase()] : [this.stems, stem(fold(word))];
  }

  #words(text: string): string[] {
    return text.split(/[ /]/).flatMap((part) => (part.startsWith('{') ? this.#list(part.slice(1, -1)) : [part]));
  }

  #list(name: string): string[] {
    const list = this.#lists.get(name);
    if (!list) throw new Error(`There is no list "${name}" above this line`);
    return list;
  }
}
