import { fold } from '../text/fold.ts';
import { classesOf, type Grammar, type Harm, type Rule } from './grammar.ts';
import { harmsIn } from './harm.ts';

/** How old somebody is, and what is unsafe only beside that, said anywhere in the conversation. */
const AGES: ReadonlySet<Harm> = new Set(['minor', 'adult-minor']);
const FORBIDDEN_TO = new Map<Harm, readonly Harm[]>([
  ['restricted', ['minor']],
  ['alcohol', ['minor', 'adult-minor']],
]);

/** The classes that a word may have, wherever it stands. */
export function safetyClasses(text: string, grammar: Grammar): readonly number[] {
  const word = fold(text);
  return [...classesOf(word, grammar), ...(grammar.byName.get(word) ?? [])];
}

/** The classes of each word of a conversation but its stop words, and the message that it stands in, in order. */
interface ClassedWords {
  length: number;
  classes(word: number): readonly number[];
  message(word: number): number;
}

/**
 * The unsafe context that messages make together; undefined when they make none. Read again are only the messages that have a word for
 * every step of a rule, as hardly any has.
 */
export function unsafeContext(contents: readonly string[], words: ClassedWords, grammar: Grammar): Harm | undefined {
  const possible = withoutIdleAges(rulesThatMayHold(grammar.rules, words, 0, words.length, grammar));
  if (possible.every(isMark)) return undefined;
  const found = new Set<Harm>();
  for (let from = 0, to = 0; from < words.length; from = to) {
    const message = words.message(from);
    while (to < words.length && words.message(to) === message) to++;
    if (rulesThatMayHold(possible, words, from, to, grammar).every(isMark)) continue;
    for (const { harm } of harmsIn(contents[message]!, grammar)) {
      if (!AGES.has(harm) && !FORBIDDEN_TO.has(harm)) return harm;
      found.add(harm);
    }
  }
  return [...found].some((harm) => FORBIDDEN_TO.get(harm)?.some((age) => found.has(age))) ? 'minors' : undefined;
}

const isMark = ({ marks }: Rule): boolean => marks >= 0;

/** Of these rules, those for whose every step there is a word from one place to before another. */
function rulesThatMayHold(
  rules: readonly Rule[],
  words: ClassedWords,
  from: number,
  to: number,
  { classes, unseen }: Grammar,
): Rule[] {
  const isThere = new Uint8Array(classes);
  for (const group of unseen) isThere[group] = 1;
  for (let word = from; word < to; word++) for (const group of words.classes(word)) isThere[group] = 1;
  const found: Rule[] = [];
  for (const rule of rules) {
    if (!mayHold(rule, isThere)) continue;
    found.push(rule);
    if (rule.marks >= 0) isThere[rule.marks] = 1;
  }
  return found;
}

function mayHold({ steps }: Rule, isThere: Uint8Array): boolean {
  // What a rule ends with is rarer than what it begins with: "how", "can".
  for (let step = steps.length - 1; step >= 0; step--) {
    const { groups } = steps[step]!;
    let isMet = false;
    for (let i = 0; i < groups.length && !isMet; i++) isMet = isThere[groups[i]!] === 1;
    if (!isMet) return false;
  }
  return true;
}

/** Ages and what is forbidden to them count together only: "a bar" is not read again where nobody is young. */
function withoutIdleAges(rules: Rule[]): Rule[] {
  const isTogether = rules.some(({ harm }) => AGES.has(harm)) && rules.some(({ harm }) => FORBIDDEN_TO.has(harm));
  return isTogether ? rules : rules.filter(({ harm }) => !AGES.has(harm) && !FORBIDDEN_TO.has(harm));
}
