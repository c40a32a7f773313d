import { readdirSync, readFileSync } from 'node:fs';
import {
  type CompiledGrammar,
  type Harm,
  NAME,
  POSSESSOR,
  type Rule,
  type RuleStep,
  stem,
} from '../../shared/matching/index.ts';
import { SAFETY_TEXTS } from './paths.ts';

/** The texts of the rules, in the order of their names: lists that all share come first. */
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

/**
 * Compiles rules. A line is one of
 *
 *     list name: words          a class of words; {other} takes over another's; =word is no other form of it, Word has a capital
 *     [harm] unless words       begins a section, whose rules do not hold where one of these words stands in the sentence
 *     step step - words         a rule, and words beside which it does not hold. A step is a word, a/choice or {class};
 *                               before a step that follows . .. or ... up to 2, 5 or 30 words may stand
 *     $name: step step          gives the first and the last word a further class, for other lines
 *
 * A line that begins with # is for readers. Articles and possessive pronouns may stand between any two steps.
 */
export function compileRules(text: string): CompiledGrammar {
  const reader = new RuleReader();
  for (const line of text.split('\n')) if (line.trim() !== '' && !line.startsWith('#')) reader.read(line.trim());
  const { rules, stems, words, names } = reader;
  return { classes: reader.classes, rules, stems: [...stems], words: [...words], names: [...names] };
}

class RuleReader {
  readonly rules: Rule[] = [];
  readonly stems = new Map<string, number[]>();
  readonly words = new Map<string, number[]>();
  readonly names = new Map<string, number[]>();
  /** By the class's name or words, its number. */
  readonly #classes = new Map([
    ['{Name}', NAME],
    ['{Owner}', POSSESSOR],
  ] as [string, number][]);
  readonly #lists = new Map<string, string[]>([
    ['Name', []],
    ['Owner', []],
  ]);
  #harm: Harm = '';
  #unless: readonly number[] = [];

  get classes(): number {
    return this.#classes.size;
  }

  read(line: string): void {
    const list = /^list (\w+): (.+)$/.exec(line);
    const section = /^\[([\w-]+)\](?: unless (.+))?$/.exec(line);
    const mark = /^\$(\w+): (.+)$/.exec(line);
    if (list && this.#classes.has(`{${list[1]}}`)) throw new Error(`List "${list[1]}" grows after its first use`);
    if (list) this.#lists.set(list[1]!, [...(this.#lists.get(list[1]!) ?? []), ...this.#words(list[2]!)]);
    else if (section) {
      this.#harm = section[1]!;
      this.#unless = section[2] ? this.#groups(section[2]) : [];
    } else if (mark) {
      const [, name = '', pattern = ''] = mark;
      if (!this.#lists.has(name)) this.#lists.set(name, []);
      this.#add(pattern, this.#class(`{${name}}`, this.#list(name)));
    } else this.#add(line, -1);
  }

  #add(line: string, marks: number): void {
    const [pattern = '', unless] = line.split(' - ');
    const steps: RuleStep[] = [];
    let gap = 0;
    for (const text of pattern.split(' ')) {
      const wide = GAPS.get(text);
      if (wide === undefined) steps.push({ groups: this.#groups(text), gap });
      gap = wide ?? 0;
    }
    const harmless = unless ? this.#groups(unless) : [];
    const rule: Rule = { line, harm: this.#harm, steps, marks, unless: [...this.#unless, ...harmless] };
    this.rules.push(rule);
  }

  /** The classes of a step: one for each list, one for all single words. */
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
    for (const word of new Set(words)) {
      const [map, form] = this.#entry(word);
      const groups = map.get(form) ?? [];
      if (groups.at(-1) !== number) map.set(form, [...groups, number]);
    }
    return number;
  }

  /** Where a word is noted, and by what. */
  #entry(word: string): [Map<string, number[]>, string] {
    if (word.startsWith('=')) return [this.words, word.slice(1)];
    return /^[A-Z]/.test(word) ? [this.names, word.toLowerCase()] : [this.stems, stem(word)];
  }

  #words(text: string): string[] {
    return text.split(/[ /]/).flatMap((part) => (part.startsWith('{') ? this.#list(part.slice(1, -1)) : [part]));
  }

  #list(name: string): string[] {
    const list = this.#lists.get(name);
    if (!list) throw new Error(`No list "${name}" stands above it`);
    return list;
  }
}
