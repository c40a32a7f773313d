/**
 * What a match asks of each campaign first, side by side: each campaign looked at then takes one fetch from memory, where
 * columns of their own would take three, and at 100,000 campaigns fetching is most of the work.
 */
export class Cards {
  /** A card is a ceiling, then the start of the record and the last match, which share the second number's bits. */
  #ceilings = new Float64Array(2 * 64);
  #words = new Int32Array(this.#ceilings.buffer);

  /** Number of slots that there is room for. */
  get room(): number {
    return this.#ceilings.length / 2;
  }

  /** The highest CPM in micro-dollars that the campaign may bid. */
  ceiling(slot: number): number {
    return this.#ceilings[2 * slot]!;
  }

  /** Where its record begins in the arena. */
  start(slot: number): number {
    return this.#words[4 * slot + 2]!;
  }

  setCeiling(slot: number, ceiling: number): void {
    if (slot >= this.room) this.#widen();
    this.#ceilings[2 * slot] = ceiling;
  }

  setStart(slot: number, start: number): void {
    this.#words[4 * slot + 2] = start;
  }

  /** Notes that a match has come to the campaign; false when it had before. Matches have different numbers of 32 bits. */
  visit(slot: number, match: number): boolean {
    if (this.#words[4 * slot + 3] === match) return false;
    this.#words[4 * slot + 3] = match;
    return true;
  }

  #widen(): void {
    const wider = new Float64Array(2 * this.#ceilings.length);
    wider.set(this.#ceilings);
    this.#ceilings = wider;
    this.#words = new Int32Array(wider.buffer);
  }
}
