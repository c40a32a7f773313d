import type { ClassedWord, Grammar, NumberedRule } from './grammar.ts';

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

  /** Whether a rule that was not looked at for this sentence has all it asks for. */
  #isCandidate({ number, steps }: NumberedRule): boolean {
    if (this.#hasLooked[number] === this.#sentence) return false;
    this.#hasLooked[number] = this.#sentence;
    for (let step = 0; step < steps.length; step++) if (!this.has(steps[step]!.groups)) return false;
    return true;
  }
}
