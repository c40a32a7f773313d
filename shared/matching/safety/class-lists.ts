/**
 * Lists of classes, each once, side by side in one array that stays in the processor's caches: all words of a conversation are asked
 * for theirs. A list is known by where it begins.
 */
export class ClassLists {
  /** How many classes a list has, and behind it these; the first list is empty. */
  numbers = new Int32Array(1024);
  #end = 1;
  readonly #known = new Map<string, number>();

  add(groups: readonly number[]): number {
    if (groups.length === 0) return 0;
    const key = groups.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const start = this.#end;
    this.#end += 1 + groups.length;
    if (this.#end > this.numbers.length) {
      const larger = new Int32Array(2 * this.#end);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers.set([groups.length, ...groups], start);
    this.#known.set(key, start);
    return start;
  }
}
