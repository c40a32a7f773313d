import { Cards } from './cards.ts';
import type { Lexicon } from './lexicon.ts';
import type { Placement } from './placement.ts';
import { Postings } from './postings.ts';
import { Terms } from './terms.ts';

/** Numbers that come from memory together; a record has about two times as many. */
const LINE = 16;

/**
 * Placements of all campaigns in flat arrays. A campaign is a slot; its record in the arena is
 * [topics, topic, percent, …, keywords, length, head, term, …, exclusions, length, term, …].
 */
export class Market {
  readonly lexicon: Lexicon;
  readonly terms: Terms;
  readonly cards = new Cards();
  readonly ids: (string | undefined)[] = [];
  arena = new Int32Array(1024);
  /** Campaigns by topic, then by the rarest word of one of their keywords: list numbers are topics, then terms. */
  readonly #lists: Postings[];
  /** By list, the number of its campaigns. */
  #sizes: Int32Array;
  readonly #slots = new Map<string, number>();
  readonly #free: number[] = [];
  #end = 0;
  #live = 0;
  readonly #lengths: number[] = [];

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.terms = new Terms(lexicon);
    this.#lists = lexicon.topics.map(() => new Postings());
    this.#sizes = new Int32Array(2 * this.#lists.length);
  }

  get size(): number {
    return this.#slots.size;
  }

  set(id: string, placement: Placement, ceiling: number): void {
    if (placement.v !== this.lexicon.version)
      throw new Error(
        `placed with lexicon ${placement.v}, this engine has ${this.lexicon.version}: place the campaign again`,
      );
    this.delete(id);
    const slot = this.#free.pop() ?? this.ids.length;
    this.ids[slot] = id;
    this.#lengths[slot] = 0;
    this.#slots.set(id, slot);
    this.cards.setCeiling(slot, ceiling);

    const record = this.#record(placement);
    this.#reserve(record.length);
    this.arena.set(record, this.#end);
    this.cards.setStart(slot, this.#end);
    this.#lengths[slot] = record.length;
    this.#end += record.length;
    this.#live += record.length;
    for (const list of this.#listsOf(slot)) this.#enter(list, slot);
  }

  delete(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    for (const list of this.#listsOf(slot)) {
      this.#lists[list]!.remove(slot, this.cards);
      this.#sizes[list]!--;
    }
    this.#live -= this.#lengths[slot]!;
    this.#lengths[slot] = 0;
    this.#slots.delete(id);
    this.ids[slot] = undefined;
    this.#free.push(slot);
  }

  /** The list of the campaigns one of whose keywords has a term as its rarest word. */
  listOf(term: number): number {
    return this.lexicon.topics.length + term;
  }

  /** Number of campaigns in a list; asking this first spares fetching lists that have none. */
  sizeOf(list: number): number {
    return this.#sizes[list] ?? 0;
  }

  postings(list: number): Postings {
    return this.#lists[list]!;
  }

  /**
   * Touches what will be asked of a list's first campaigns. At 100,000 campaigns most of it has to come from distant memory, which
   * brings many together in the time of one, but only if nothing else is done between asking. Gives a sum of no meaning.
   */
  fetch(postings: Postings, count: number): number {
    const { arena, cards } = this;
    const end = Math.min(count, postings.length);
    let sum = 0;
    for (let position = 0; position < end; position++) {
      const start = cards.start(postings.at(position));
      sum ^= arena[start]! ^ arena[start + LINE]!;
    }
    return sum;
  }

  #enter(list: number, slot: number): void {
    while (list >= this.#lists.length) this.#lists.push(new Postings());
    if (list >= this.#sizes.length) this.#sizes = grown(new Int32Array(2 * list), this.#sizes);
    this.#lists[list]!.insert(slot, this.cards);
    this.#sizes[list]!++;
  }

  /** Every list a campaign is in, each once: its topics and the head words of its keywords. */
  #listsOf(slot: number): Set<number> {
    const lists = new Set<number>();
    let at = this.cards.start(slot);
    for (let topics = this.arena[at++]!; topics > 0; topics--, at += 2) lists.add(this.arena[at]!);
    for (let keywords = this.arena[at++]!; keywords > 0; keywords--) {
      const length = this.arena[at]!;
      const head = this.arena[at + 1]!;
      lists.add(this.listOf(this.arena[at + 2 + head]!));
      at += 2 + length;
    }
    return lists;
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

  /** Room for a record at the arena's end; when half of it is the remains of changed campaigns, they go first. */
  #reserve(length: number): void {
    if (this.#end + length <= this.arena.length) return;
    const arena = new Int32Array(Math.max(2 * this.#live + length, 1024));
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

function grown(larger: Int32Array, smaller: Int32Array): Int32Array {
  larger.set(smaller);
  return larger;
}
