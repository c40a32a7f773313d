import { fold } from '../text/fold.ts';
import { SENTENCE_GAP, TokenScanner } from '../text/token-scanner.ts';
import { splitToken } from '../text/words.ts';
import { classesOf, type Grammar, NAME, POSSESSOR, type Rule } from './grammar.ts';

/** May stand between two steps of a rule. */
const SKIPPED = new Set(
  'a an the my your his her its our their this that these those some any please just really very all own'.split(' '),
);
/** Longer ones are no sentence, and a rule's steps may stand anywhere in one. */
const LONGEST_SENTENCE = 60;

/** A word and the classes it has. */
interface SafetyWord {
  text: string;
  groups: number[];
}

/** The rules by which a message speaks of harm. */
export function harmsIn(content: string, grammar: Grammar): Set<Rule> {
  const found = new Set<Rule>();
  for (const sentence of sentences(content, grammar)) {
    visit(sentence, grammar.marking, ({ marks }, first, last) => {
      for (const { groups } of [sentence[first]!, sentence[last]!]) if (!groups.includes(marks)) groups.push(marks);
    });
    visit(sentence, grammar.telling, (rule) => found.add(rule));
  }
  return found;
}

function visit(
  sentence: readonly SafetyWord[],
  rules: ReadonlyMap<number, readonly Rule[]>,
  onMatch: (rule: Rule, first: number, last: number) => void,
): void {
  for (const [first, { groups }] of sentence.entries())
    for (const group of groups)
      for (const rule of rules.get(group) ?? []) {
        const last = lastOf(rule, sentence, first, 1);
        if (last < 0) continue;
        if (rule.unless.length > 0 && sentence.some((word) => word.groups.some((one) => rule.unless.includes(one))))
          continue;
        onMatch(rule, first, last);
      }
}

/** The index of the word that a rule ends with whose step before `step` is at `index`; -1 when it does not hold. */
function lastOf(rule: Rule, sentence: readonly SafetyWord[], index: number, step: number): number {
  const wanted = rule.steps[step];
  if (wanted === undefined) return index;
  let left = wanted.gap;
  for (let next = index + 1; next < sentence.length; next++) {
    const { text, groups } = sentence[next]!;
    if (groups.some((group) => wanted.groups.includes(group))) {
      const last = lastOf(rule, sentence, next, step + 1);
      if (last >= 0) return last;
    }
    if (!SKIPPED.has(text) && left-- === 0) return -1;
  }
  return -1;
}

function sentences(content: string, grammar: Grammar): SafetyWord[][] {
  const text = fold(content);
  // Folding may change lengths; where it does not, capitals are where they were.
  const isAligned = text.length === content.length;
  const found: SafetyWord[][] = [];
  let sentence: SafetyWord[] = [];
  for (const scanner = new TokenScanner(text); scanner.next(); ) {
    if (scanner.gap >= SENTENCE_GAP || sentence.length >= LONGEST_SENTENCE) {
      found.push(sentence);
      sentence = [];
    }
    const isCapital = isAligned && /^[A-Z]/.test(content.charAt(scanner.from));
    // The first word of a sentence has a capital whatever it is.
    const isName = isCapital && sentence.length > 0;
    const isOwner = isName && /['’]s$/.test(scanner.token);
    for (const word of scanner.isWord ? [scanner.token] : splitToken(scanner.token)) {
      const groups = classesOf(word, grammar);
      if (isCapital) groups.push(...(grammar.byName.get(word) ?? []));
      if (isName) groups.push(NAME);
      if (isOwner) groups.push(POSSESSOR);
      sentence.push({ text: word, groups });
    }
  }
  return [...found, sentence];
}
