import { Blocks } from './blocks.ts';
import { grown, roomFor } from './capacity.ts';
import { Postings } from './posting-list.ts';
import type { Cards } from './slots.ts';

/** What the keywords that brought campaigns into a list can be worth at most: the bounds of a match rely on it. */
export interface Worth {
  /** Words of the longest of them. */
  length: number;
  /** Evidence of the most telling one when it is said whole, 0..1. */
  evidence: number;
  /** Keywords that the campaign has in all. */
  keywords: number;
}

/** More words of a keyword, or keywords, bound nothing: they are worth as much as anything can be. */
const MOST = 255;

/**
 * Lists of campaigns by number. A match asks of hundreds of lists what they can be worth and walks few of them: that is kept in
 * columns of its own. Most words are one campaign's alone, and anybody can make up more: such a list is one number in a column.
 */
export class Lists {
  #sizes = new Int32Array(64);
  /** By list: the only campaign, or where the block of its campaigns begins. */
  #places = new Int32Array(64);
  #lengths = new Uint8Array(64);
  #evidence = new Float32Array(64);
  #keywords = new Uint8Array(64);
  readonly #blocks = new Blocks();

  /** Number of campaigns in a list. */
  size(list: number): number {
    return this.#sizes[list] ?? 0;
  }

  /** The campaigns of a list. */
  postings(list: number): Postings {
    const size = this.size(list);
    return size === 1
      ? new Postings(this.#places, list, 1)
      : new Postings(this.#blocks.memory, this.#places[list] ?? 0, size);
  }

  longest(list: number): number {
    return this.#lengths[list]!;
  }

  evidence(list: number): number {
    return this.#evidence[list]!;
  }

  keywords(list: number): number {
    return this.#keywords[list]!;
  }

  /** The new slot's own card must be filled in already. */
  enter(list: number, slot: number, cards: Cards, { length, evidence, keywords }: Worth): void {
    if (list >= this.#sizes.length) this.#widen(roomFor(list));
    const position = this.postings(list).find(slot, cards);
    const size = this.#sizes[list]!;
    this.#resize(list, size + 1);
    if (size > 0) {
      const at = this.#places[list]! + position;
      this.#blocks.memory.copyWithin(at + 1, at, this.#places[list]! + size);
      this.#blocks.memory[at] = slot;
    } else this.#places[list] = slot;
    this.#lengths[list] = Math.max(this.#lengths[list]!, Math.min(MOST, length));
    this.#evidence[list] = Math.max(this.#evidence[list]!, evidence);
    this.#keywords[list] = Math.max(this.#keywords[list]!, Math.min(MOST, keywords));
  }

  /**
   * Its ceiling must still be what it was when it came in. What the list can be worth stays as it is until nobody is left: too much is
   * still a bound.
   */
  leave(list: number, slot: number, cards: Cards): void {
    const position = this.postings(list).find(slot, cards);
    const size = this.#sizes[list]!;
    if (size > 1) {
      const at = this.#places[list]! + position;
      this.#blocks.memory.copyWithin(at, at + 1, this.#places[list]! + size);
    }
    this.#resize(list, size - 1);
    if (size > 1) return;
    this.#lengths[list] = 0;
    this.#evidence[list] = 0;
    this.#keywords[list] = 0;
  }

  /** Moves a list to where so many campaigns have room; those that it loses are its last. */
  #resize(list: number, size: number): void {
    const before = this.#sizes[list]!;
    const place = this.#places[list]!;
    const blocks = this.#blocks;
    this.#sizes[list] = size;
    if (before === 0 || size === 0) return;
    const first = before === 1 ? place : blocks.memory[place]!;
    if (before > 1 && size > 1 && !blocks.isFull(Math.min(before, size))) return;
    if (size > 1) {
      const to = blocks.take(size);
      if (before > 1) blocks.memory.copyWithin(to, place, place + Math.min(before, size));
      else blocks.memory[to] = first;
      this.#places[list] = to;
    } else this.#places[list] = first;
    if (before > 1) blocks.give(place, before);
  }

  #widen(room: number): void {
    this.#sizes = grown(new Int32Array(room), this.#sizes);
    this.#places = grown(new Int32Array(room), this.#places);
    this.#lengths = grown(new Uint8Array(room), this.#lengths);
    this.#evidence = grown(new Float32Array(room), this.#evidence);
    this.#keywords = grown(new Uint8Array(room), this.#keywords);
  }
}
