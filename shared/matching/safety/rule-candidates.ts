import { type ClassedWord, END_OF_STEP, type Grammar, type NumberedRule } from './grammar.ts';

/** Gives arrays of zeros, for as long as a conversation is read. */
export interface IntPool {
  int32(length: number): Int32Array;
}

/**
 * Tells of which rules a sentence has a word for every step, in whatever order they stand. Looked at are only the rules whose rarest
 * step is met.
 */
export class RuleCandidates {
  readonly #grammar: Grammar;
  /** By class, the last sentence that has a word of it; by rule, the last sentence that it was looked at for. */
  readonly #hasClass: Int32Array;
  readonly #hasLooked: Int32Array;
  #sentence = 0;

  constructor(grammar: Grammar, pool: IntPool) {
    this.#grammar = grammar;
    this.#hasClass = pool.int32(grammar.harmRules.length);
    this.#hasLooked = pool.int32(grammar.rules.length);
  }

  /** Begins a sentence. */
  beginSentence(): void {
    this.#sentence++;
  }

  /** Adds a word of the sentence by its classes, or by where the grammar has the list of them. */
  addClasses(groups: readonly number[]): void {
    for (const group of groups) this.#hasClass[group] = this.#sentence;
  }

  addClassList(start: number): void {
    const { numbers } = this.#grammar.classLists;
    const end = start + numbers[start]!;
    for (let i = start + 1; i <= end; i++) this.#hasClass[numbers[i]!] = this.#sentence;
  }

  /** Hands on each such rule of the sentence's anchors once: those that mark words first, which they do when `onRule` says so. */
  visit(anchors: readonly ClassedWord[], onRule: (rule: NumberedRule) => boolean): void {
    const marks: number[] = [];
    for (const { markingRules } of anchors)
      for (const rule of markingRules) if (this.#isCandidate(rule) && onRule(rule)) marks.push(rule.marks);
    this.addClasses(marks);
    for (const { harmRules } of anchors) for (const rule of harmRules) if (this.#isCandidate(rule)) onRule(rule);
    for (const group of marks)
      for (const rule of this.#grammar.harmRules[group]!) if (this.#isCandidate(rule)) onRule(rule);
  }

  /** Whether one of these classes has a word in the sentence at hand. */
  hasAnyClass(groups: readonly number[]): boolean {
    for (const group of groups) if (this.#hasClass[group] === this.#sentence) return true;
    return false;
  }

  /** Whether a rule that was not looked at for this sentence, and whose anchor is there, has all it asks for. */
  #isCandidate({ number, requiredStart, requiredEnd }: NumberedRule): boolean {
    const sentence = this.#sentence;
    if (this.#hasLooked[number] === sentence) return false;
    this.#hasLooked[number] = sentence;
    let isMet = false;
    for (let i = requiredStart; i < requiredEnd; i++) {
      const group = this.#grammar.requiredClasses[i]!;
      if (group !== END_OF_STEP) isMet ||= this.#hasClass[group] === sentence;
      else if (isMet) isMet = false;
      else return false;
    }
    return true;
  }
}
