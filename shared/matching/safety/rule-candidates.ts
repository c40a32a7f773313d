import { type ClassedWord, END_OF_STEP, type Grammar, type NumberedRule } from './grammar.ts';

/** Allocates zeroed arrays that live as long as a conversation is read. */
export interface IntPool {
  int32(length: number): Int32Array;
}

/** Finds the rules whose steps all have a matching word in a sentence, in any order. Checks only rules whose anchor appears. */
export class RuleCandidates {
  readonly #grammar: Grammar;
  /** By class, the last sentence that contains one of its words; by rule, the last sentence it was checked for. */
  readonly #lastSentenceByClass: Int32Array;
  readonly #lastSentenceByRule: Int32Array;
  #sentence = 0;

  constructor(grammar: Grammar, pool: IntPool) {
    this.#grammar = grammar;
    this.#lastSentenceByClass = pool.int32(grammar.harmRules.length);
    this.#lastSentenceByRule = pool.int32(grammar.rules.length);
  }

  beginSentence(): void {
    this.#sentence++;
  }

  /** Adds the classes of a word of the sentence. */
  addClasses(groups: readonly number[]): void {
    for (const group of groups) this.#lastSentenceByClass[group] = this.#sentence;
  }

  addClassList(start: number): void {
    const { numbers } = this.#grammar.classLists;
    const end = start + numbers[start]!;
    for (let i = start + 1; i <= end; i++) this.#lastSentenceByClass[numbers[i]!] = this.#sentence;
  }

  /** Visits each candidate rule of the sentence's anchors once, marking rules first. A rule marks if `onRule` returns true. */
  visit(anchors: readonly ClassedWord[], onRule: (rule: NumberedRule) => boolean): void {
    const markedClasses: number[] = [];
    for (const { markingRules } of anchors)
      for (const rule of markingRules) if (this.#isCandidate(rule) && onRule(rule)) markedClasses.push(rule.marks);
    this.addClasses(markedClasses);
    for (const { harmRules } of anchors) for (const rule of harmRules) if (this.#isCandidate(rule)) onRule(rule);
    for (const group of markedClasses)
      for (const rule of this.#grammar.harmRules[group]!) if (this.#isCandidate(rule)) onRule(rule);
  }

  /** Whether the sentence has a word of one of these classes. */
  hasAnyClass(groups: readonly number[]): boolean {
    for (const group of groups) if (this.#lastSentenceByClass[group] === this.#sentence) return true;
    return false;
  }

  /**
   * Whether the sentence has a word for every step of a rule other than the anchor. False if the rule was already checked for this sentence.
   */
  #isCandidate({ number, requiredStart, requiredEnd }: NumberedRule): boolean {
    const sentence = this.#sentence;
    if (this.#lastSentenceByRule[number] === sentence) return false;
    this.#lastSentenceByRule[number] = sentence;
    let isMet = false;
    for (let i = requiredStart; i < requiredEnd; i++) {
      const group = this.#grammar.requiredClasses[i]!;
      if (group !== END_OF_STEP) isMet ||= this.#lastSentenceByClass[group] === sentence;
      else if (isMet) isMet = false;
      else return false;
    }
    return true;
  }
}
