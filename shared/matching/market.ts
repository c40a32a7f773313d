import type { Lexicon } from './lexicon.ts';
import type { Placement } from './placement.ts';
import { Postings } from './postings.ts';
import { rarity } from './rarity.ts';
import type { Entry } from './wordbook.ts';

/** A word of the market: its rarity, and the campaigns one of whose keywords has it as its rarest word. */
export interface Term {
  id: number;
  rarity: number;
  heads: Postings;
}

/**
 * Placements of all campaigns in flat arrays. A campaign is a slot; its record in the arena is
 * [topics, topic, percent, …, keywords, length, head, term, …, exclusions, length, term, …].
 */
export class Market {
  readonly lexicon: Lexicon;
  readonly terms = new Map<string, Term>();
  readonly byTopic: Postings[];
  ceilings = new Float64Array(64);
  readonly ids: (string | undefined)[] = [];
  arena = new Int32Array(1024);
  starts = new Int32Array(64);
  readonly termList: Term[] = [];
  /** By term number. */
  rarities = new Float32Array(64);
  /** By number in the lexicon's vocabulary, 1 + the term's number; 0 where the market does not know the word. */
  readonly #byWord: Int32Array;
  readonly #slots = new Map<string, number>();
  readonly #free: number[] = [];
  #spots = new Int32Array(64);
  #end = 0;
  #live = 0;
  #lengths = new Int32Array(64);

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.#byWord = new Int32Array(lexicon.vocabulary.size);
    this.byTopic = lexicon.topics.map(() => new Postings());
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
    if (slot === this.ceilings.length) this.#widen();
    this.ids[slot] = id;
    this.#slots.set(id, slot);
    this.ceilings[slot] = ceiling;

    const record = this.#record(placement);
    this.#reserve(record.length);
    this.arena.set(record, this.#end);
    this.starts[slot] = this.#end;
    this.#lengths[slot] = record.length;
    this.#end += record.length;
    this.#live += record.length;
    for (const postings of this.#postingsOf(slot)) postings.insert(slot, this.ceilings);
  }

  delete(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    for (const postings of this.#postingsOf(slot)) postings.remove(slot, this.ceilings);
    this.#live -= this.#lengths[slot]!;
    this.#lengths[slot] = 0;
    this.#slots.delete(id);
    this.ids[slot] = undefined;
    this.#free.push(slot);
  }

  /** Every list a campaign is in, each once: its topics and the head words of its keywords. */
  #postingsOf(slot: number): Set<Postings> {
    const lists = new Set<Postings>();
    let at = this.starts[slot]!;
    for (let topics = this.arena[at++]!; topics > 0; topics--, at += 2) lists.add(this.byTopic[this.arena[at]!]!);
    for (let keywords = this.arena[at++]!; keywords > 0; keywords--) {
      const length = this.arena[at]!;
      const head = this.arena[at + 1]!;
      lists.add(this.termList[this.arena[at + 2 + head]!]!.heads);
      at += 2 + length;
    }
    return lists;
  }

  /** The number of a word's term, -1 when no campaign has the word. */
  termOf({ stem, vocabulary }: Entry): number {
    return vocabulary >= 0 ? this.#byWord[vocabulary]! - 1 : (this.terms.get(stem)?.id ?? -1);
  }

  /** One zero for every term: scratch for a match, which leaves it as it was. */
  spots(): Int32Array {
    if (this.#spots.length < this.termList.length) this.#spots = new Int32Array(2 * this.termList.length);
    return this.#spots;
  }

  #record({ t, k, x }: Placement): number[] {
    const keywords = this.#phrases(k);
    const excluded = this.#phrases(x);
    return [
      t.length / 2,
      ...t,
      keywords.length,
      ...keywords.flatMap((terms) => [terms.length, rarest(terms), ...terms.map(({ id }) => id)]),
      excluded.length,
      ...excluded.flatMap((terms) => [terms.length, ...terms.map(({ id }) => id)]),
    ];
  }

  #phrases(joined: string): Term[][] {
    return joined === '' ? [] : joined.split('|').map((phrase) => phrase.split(' ').map((stem) => this.#term(stem)));
  }

  #term(stem: string): Term {
    let term = this.terms.get(stem);
    if (!term) {
      term = { id: this.termList.length, rarity: rarity(stem, this.lexicon.bands), heads: new Postings() };
      if (term.id === this.rarities.length) this.rarities = grown(new Float32Array(2 * term.id), this.rarities);
      this.rarities[term.id] = term.rarity;
      this.terms.set(stem, term);
      const word = this.lexicon.vocabulary.get(stem);
      if (word !== undefined) this.#byWord[word] = term.id + 1;
      this.termList.push(term);
    }
    return term;
  }

  #widen(): void {
    const wider = 2 * this.ceilings.length;
    this.ceilings = grown(new Float64Array(wider), this.ceilings);
    this.starts = grown(new Int32Array(wider), this.starts);
    this.#lengths = grown(new Int32Array(wider), this.#lengths);
  }

  /** Room for a record at the arena's end; when half of it is the remains of changed campaigns, they go first. */
  #reserve(length: number): void {
    if (this.#end + length <= this.arena.length) return;
    const arena = new Int32Array(Math.max(2 * this.#live + length, 1024));
    let end = 0;
    for (const slot of this.#slots.values()) {
      const start = this.starts[slot]!;
      arena.set(this.arena.subarray(start, start + this.#lengths[slot]!), end);
      this.starts[slot] = end;
      end += this.#lengths[slot]!;
    }
    this.arena = arena;
    this.#end = end;
  }
}

/** Position of a phrase's rarest word, the last of equals: in English the noun that it is about. */
function rarest(terms: readonly Term[]): number {
  let best = 0;
  terms.forEach((term, position) => {
    if (term.rarity >= terms[best]!.rarity) best = position;
  });
  return best;
}

function grown<T extends Float64Array | Float32Array | Int32Array>(larger: T, smaller: T): T {
  larger.set(smaller);
  return larger;
}
