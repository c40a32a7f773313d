import { fold } from '../text/fold.ts';
import { SENTENCE_GAP, TokenScanner } from '../text/token-scanner.ts';
import { splitToken } from '../text/words.ts';
import {
  addClasses,
  type ClassedWord,
  type Grammar,
  HARMLESS,
  type Harm,
  NAME,
  POSSESSOR,
  type Rule,
  type RuleStep,
  type SafetyWord,
} from './grammar.ts';
import { type IntPool, RuleCandidates } from './rule-candidates.ts';

/** Longer sentences are split, because the steps of a rule may match anywhere in one. */
export const MAX_SENTENCE_WORDS = 60;

/** What the rules need to read words again. */
export interface SafetyTools {
  grammar: Grammar;
  lookUp(word: string): SafetyWord;
  pool: IntPool;
}

/** The harms in a message, one for each rule that matches. Runs in time linear in the text. */
export function* findHarms(content: string, tools: SafetyTools): Generator<Harm, void, void> {
  const candidates = new RuleCandidates(tools.grammar, tools.pool);
  for (const sentence of splitSentences(content, tools)) {
    const found: Harm[] = [];
    candidates.beginSentence();
    for (const { groups } of sentence) candidates.addClasses(groups);
    candidates.visit(sentence, (rule) => {
      if (candidates.hasAnyClass(rule.unless)) return false;
      const ends = matchRule(rule, sentence);
      if (rule.marks === HARMLESS) removeMatches(sentence, ends, tools.grammar);
      else if (rule.marks >= 0) markEnds(sentence, ends, rule.marks);
      else if (ends.length > 0) found.push(rule.harm);
      return ends.length > 0;
    });
    yield* found;
  }
}

/** By word, the index of the last word of a match that begins there, or -1. Empty if the rule does not match. */
export function matchRule({ steps }: Rule, sentence: readonly ClassedWord[]): Int8Array {
  let ends = new Int8Array(0);
  let next: RuleStep | undefined;
  for (const step of steps.toReversed()) {
    const laterEnds = ends;
    ends = new Int8Array(sentence.length).fill(-1);
    let matches = false;
    for (const [index, word] of sentence.entries()) {
      if (!meetsStep(word, step)) continue;
      const end = next === undefined ? index : findNextEnd(sentence, index, next, laterEnds);
      ends[index] = end;
      matches ||= end >= 0;
    }
    if (!matches) return new Int8Array(0);
    next = step;
  }
  return ends;
}

/** The first of `ends` at most `gap` unskipped words after a word, with no "for" before an object. */
function findNextEnd(
  sentence: readonly ClassedWord[],
  index: number,
  { gap, isObject }: RuleStep,
  ends: Int8Array,
): number {
  let remaining = gap;
  for (let next = index + 1; next < sentence.length; next++) {
    const end = ends[next] ?? -1;
    if (end >= 0) return end;
    const { isSkipped, isFor } = sentence[next]!;
    if ((isFor && isObject) || (!isSkipped && remaining-- === 0)) return -1;
  }
  return -1;
}

function meetsStep({ groups: classes }: ClassedWord, { groups }: RuleStep): boolean {
  for (const group of classes) if (groups.includes(group)) return true;
  return false;
}

/** Adds a class to the first and last word of each match. */
export function markEnds(sentence: ClassedWord[], ends: Int8Array, group: number): void {
  for (const [first, last] of ends.entries()) {
    if (last < 0) continue;
    for (const index of [first, last]) {
      const word = sentence[index];
      if (word && !word.groups.includes(group)) sentence[index] = { ...word, groups: [...word.groups, group] };
    }
  }
}

/** Clears the words of each match to hide them from other rules. */
function removeMatches(sentence: ClassedWord[], ends: Int8Array, { names: nameClasses }: Grammar): void {
  for (const [first, last] of ends.entries()) if (last >= 0) sentence.fill(nameClasses.none, first, last + 1);
}

function* splitSentences(content: string, { grammar, lookUp }: SafetyTools): Generator<ClassedWord[], void, void> {
  const text = fold(content);
  // Folding may change lengths. If it does not, capitals are at the same indexes.
  const isAligned = text.length === content.length;
  let sentence: ClassedWord[] = [];
  for (const scanner = new TokenScanner(text); scanner.next(); ) {
    if (scanner.gap >= SENTENCE_GAP) {
      yield sentence;
      sentence = [];
    }
    const { token } = scanner;
    const isCapital = isAligned && isCapitalAt(content, scanner.from);
    // The first word of a sentence has a capital anyway, and so does "I".
    const isName = isCapital && sentence.length > 0 && !/^i(?:['’]|$)/.test(token);
    const nameClasses = isName && /['’]s$/.test(token) ? OWNER_CLASSES : NAME_CLASSES;
    for (const word of scanner.isWord ? [token] : splitToken(token)) {
      if (sentence.length >= MAX_SENTENCE_WORDS) {
        yield sentence;
        sentence = [];
      }
      const { plain, asName } = lookUp(word);
      const classed = isCapital ? asName : plain;
      sentence.push(isName ? addClasses(classed, nameClasses, grammar) : classed);
    }
  }
  yield sentence;
}

const NAME_CLASSES = [NAME];
const OWNER_CLASSES = [NAME, POSSESSOR];

const isCapitalAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code >= 65 && code <= 90;
};
