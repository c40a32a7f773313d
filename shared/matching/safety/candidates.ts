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
    this.#hasClass = pool.int32(grammar.telling.length);
    this.#hasLooked = pool.int32(grammar.rules.length);
  }

  /** Hands on each such rule once: those that mark words first, which they do when `onRule` says so. */
  visit(sentence: readonly ClassedWord[], onRule: (rule: NumberedRule) => boolean): void {
    this.#sentence++;
    for (const { groups } of sentence) this.#add(groups);
    const marks: number[] = [];
    for (const { marking } of sentence)
      for (const rule of marking) if (this.#isCandidate(rule) && onRule(rule)) marks.push(rule.marks);
    this.#add(marks);
    for (const { telling } of sentence) for (const rule of telling) if (this.#isCandidate(rule)) onRule(rule);
    for (const group of marks)
      for (const rule of this.#grammar.telling[group]!) if (this.#isCandidate(rule)) onRule(rule);
  }

  /** Whether one of these classes has a word in the sentence at hand. */
  has(groups: readonly number[]): boolean {
    for (let i = 0; i < groups.length; i++) if (this.#hasClass[groups[i]!] === this.#sentence) return true;
    return false;
  }

  #add(groups: readonly number[]): void {
    for (let i = 0; i < groups.length; i++) this.#hasClass[groups[i]!] = this.#sentence;
  }

  /** Whether a rule that was not looked at for this sentence, and whose anchor is there, has all it asks for. */
  #isCandidate({ number, asked }: NumberedRule): boolean {
    const sentence = this.#sentence;
    if (this.#hasLooked[number] === sentence) return false;
    this.#hasLooked[number] = sentence;
    let isMet = false;
    for (let i = 0; i < asked.length; i++) {
      const group = asked[i]!;
      if (group !== END_OF_STEP) isMet ||= this.#hasClass[group] === sentence;
      else if (isMet) isMet = false;
      else return false;
    }
    return true;
  }
}
