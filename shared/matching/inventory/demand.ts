import type { Lexicon } from '../lexicon/lexicon.ts';
import { roomFor } from './capacity.ts';
import type { Placement } from './matching-profile.ts';
import type { Postings } from './posting-list.ts';
import { Lists, type Worth } from './posting-lists.ts';
import { Cards } from './slots.ts';
import { Terms } from './term-dictionary.ts';

/** Bands of affinity, each as wide as the others: what is closest to a topic is found first. */
export const BANDS = 8;
const WIDTH = 10;
/** The largest affinity of a band. */
export const affinityOf = (band: number): number => (100 - WIDTH * band) / 100;
const bandOf = (percent: number): number => Math.max(0, Math.min(BANDS - 1, Math.floor((100 - percent) / WIDTH)));

/** Of a campaign in the list of a topic, which no keyword has brought there. */
const NOTHING: Worth = { length: 0, evidence: 0, keywords: 0 };
/** Room for records that is always there. */
const ROOM = 1024;

/**
 * Placements of all campaigns in flat arrays. A campaign is a slot; its record in the arena is
 * [topics, topic, percent, …, keywords, length, head, term, …, exclusions, length, term, …].
 */
export class Market {
  readonly lexicon: Lexicon;
  readonly terms: Terms;
  readonly cards = new Cards();
  readonly ids: (string | undefined)[] = [];
  arena = new Int32Array(ROOM);
  /** Campaigns by topic and how close they are to it, then by the rarest word of one of their keywords. */
  readonly lists = new Lists();
  readonly #firstTerm: number;
  readonly #slots = new Map<string, number>();
  readonly #free: number[] = [];
  #end = 0;
  #live = 0;
  readonly #lengths: number[] = [];

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.terms = new Terms(lexicon);
    this.#firstTerm = BANDS * lexicon.topics.length;
  }

  get size(): number {
    return this.#slots.size;
  }

  set(id: string, placement: Placement, ceiling: number): void {
    if (placement.v !== this.lexicon.version)
      throw new Error(
        `placed with lexicon ${placement.v}, this engine has ${this.lexicon.version}: place the campaign again`,
      );
    // First the new words, then the old ones go: most are the same.
    const record = this.#record(placement);
    this.delete(id);
    const slot = this.#free.pop() ?? this.ids.length;
    this.ids[slot] = id;
    this.#lengths[slot] = 0;
    this.#slots.set(id, slot);
    this.cards.setCeiling(slot, ceiling);

    this.#reserve(record.length);
    this.arena.set(record, this.#end);
    this.cards.setStart(slot, this.#end);
    this.#lengths[slot] = record.length;
    this.#end += record.length;
    this.#live += record.length;
    for (const [list, worth] of this.#listsOf(slot)) this.lists.enter(list, slot, this.cards, worth);
  }

  delete(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    for (const list of this.#listsOf(slot).keys()) this.lists.leave(list, slot, this.cards);
    this.#release(slot);
    this.#live -= this.#lengths[slot]!;
    this.#lengths[slot] = 0;
    this.#slots.delete(id);
    this.ids[slot] = undefined;
    this.#free.push(slot);
    if (this.arena.length > ROOM && 4 * this.#live < this.arena.length) this.#compact(0);
  }

  /** The list of the campaigns of a topic whose affinity to it is in a band, see `affinityOf`. */
  listOfTopic(topic: number, band: number): number {
    return BANDS * topic + band;
  }

  /** The list of the campaigns one of whose keywords has a term as its rarest word. */
  listOf(term: number): number {
    return this.#firstTerm + term;
  }

  postings(list: number): Postings {
    return this.lists.postings(list);
  }

  /** Every list a campaign is in, each once: its topics and the head words of its keywords. */
  #listsOf(slot: number): Map<number, Worth> {
    const { arena } = this;
    const { rarities } = this.terms;
    const lists = new Map<number, Worth>();
    let at = this.cards.start(slot);
    for (let topics = arena[at++]!; topics > 0; topics--, at += 2)
      lists.set(this.listOfTopic(arena[at]!, bandOf(arena[at + 1]!)), NOTHING);
    const keywords = arena[at++]!;
    for (let left = keywords; left > 0; left--) {
      const length = arena[at]!;
      const first = at + 2;
      const list = this.listOf(arena[first + arena[at + 1]!]!);
      const worth = lists.get(list) ?? { length: 0, evidence: 0, keywords };
      const evidence = telling(arena, first, length, rarities);
      lists.set(list, {
        length: Math.max(worth.length, length),
        evidence: Math.max(worth.evidence, evidence),
        keywords,
      });
      at = first + length;
    }
    return lists;
  }

  /** Lets go of a campaign's words. */
  #release(slot: number): void {
    const { arena, terms } = this;
    let at = this.cards.start(slot);
    at += 1 + 2 * arena[at]!;
    for (const before of [2, 1])
      for (let phrases = arena[at++]!; phrases > 0; phrases--) {
        const first = at + before;
        at = first + arena[at]!;
        for (let term = first; term < at; term++) terms.release(arena[term]!);
      }
  }

  #record({ t, k, x }: Placement): number[] {
    const keywords = this.#phrases(k);
    const excluded = this.#phrases(x);
    return [
      t.length / 2,
      ...t,
      keywords.length,
      ...keywords.flatMap((terms) => [terms.length, rarest(terms, this.terms.rarities), ...terms]),
      excluded.length,
      ...excluded.flatMap((terms) => [terms.length, ...terms]),
    ];
  }

  #phrases(joined: string): number[][] {
    if (joined === '') return [];
    return joined.split('|').map((phrase) => phrase.split(' ').map((stem) => this.terms.add(stem)));
  }

  /** Room for a record at the arena's end. */
  #reserve(length: number): void {
    if (this.#end + length > this.arena.length) this.#compact(length);
  }

  /** Puts the records side by side, without the remains of changed campaigns. */
  #compact(length: number): void {
    const arena = new Int32Array(Math.max(roomFor(this.#live + length), ROOM));
    let end = 0;
    for (const slot of this.#slots.values()) {
      const start = this.cards.start(slot);
      arena.set(this.arena.subarray(start, start + this.#lengths[slot]!), end);
      this.cards.setStart(slot, end);
      end += this.#lengths[slot]!;
    }
    this.arena = arena;
    this.#end = end;
  }
}

/** Position of a phrase's rarest word, the last of equals: in English the noun that it is about. */
function rarest(terms: readonly number[], rarities: Float32Array): number {
  let best = 0;
  terms.forEach((term, position) => {
    if (rarities[term]! >= rarities[terms[best]!]!) best = position;
  });
  return best;
}

/** The evidence that a keyword is when it was said whole just now: 1 when its words are rare. */
export function telling(arena: Int32Array, first: number, length: number, rarities: Float32Array): number {
  let absent = 1;
  for (let term = first; term < first + length; term++) {
    const rarity = rarities[arena[term]!]!;
    absent *= 1 - (length > 1 ? 0.25 + 0.75 * rarity : rarity);
  }
  return 1 - absent;
}
