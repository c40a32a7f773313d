const FREE = -1;
/** Places of the table and bits of the sieve for every edge, at least. */
const PLACES = 2;
const BITS = 8;

/**
 * Phrases as a tree of words, in open-addressed typed arrays: an edge is (node, word) -> node. Small to hold, quick to build,
 * and a look-up allocates nothing.
 */
export class Trie {
  #nodes = 1;
  #mask: number;
  #keys: Int32Array;
  #children: Int32Array;
  /**
   * A bit for every edge, some edges to a bit. Most words that follow each other begin no phrase, and the sieve is small enough to
   * say so from the processor's own memory, where the table would be fetched from afar.
   */
  readonly #sieve: Int32Array;
  /** How far to move a figure of 32 bits to the right, so that it numbers a bit of the sieve. */
  readonly #shift: number;

  /** `edges`: about how many there will be; growing would put every edge several times. */
  constructor(edges: number) {
    this.#mask = 2 ** Math.ceil(Math.log2(PLACES * edges)) - 1;
    this.#keys = new Int32Array(2 * (this.#mask + 1)).fill(FREE);
    this.#children = new Int32Array(this.#mask + 1);
    const bits = Math.max(5, Math.ceil(Math.log2(BITS * edges)));
    this.#sieve = new Int32Array(2 ** (bits - 5));
    this.#shift = 32 - bits;
  }

  /** Number of nodes. */
  get size(): number {
    return this.#nodes;
  }

  /** By node, 1 when words lead on from it. */
  inner(): Uint8Array {
    const inner = new Uint8Array(this.#nodes);
    for (let slot = 0; slot <= this.#mask; slot++) if (this.#keys[2 * slot] !== FREE) inner[this.#keys[2 * slot]!] = 1;
    return inner;
  }

  /** The node that `word` leads to from `node` (0 is the root), or -1. */
  child(node: number, word: number): number {
    const hash = mix(node, word);
    const bit = hash >>> this.#shift;
    if ((this.#sieve[bit >>> 5]! & (1 << bit)) === 0) return -1;
    const slot = this.#slot(hash, node, word);
    return this.#keys[2 * slot] === FREE ? -1 : this.#children[slot]!;
  }

  /** As `child`, growing the tree where needed. */
  grow(node: number, word: number): number {
    const hash = mix(node, word);
    let slot = this.#slot(hash, node, word);
    if (this.#keys[2 * slot] !== FREE) return this.#children[slot]!;
    if (2 * this.#nodes > this.#mask) {
      this.#double();
      slot = this.#slot(hash, node, word);
    }
    const bit = hash >>> this.#shift;
    this.#sieve[bit >>> 5]! |= 1 << bit;
    return this.#put(slot, node, word, this.#nodes++);
  }

  #put(slot: number, node: number, word: number, child: number): number {
    this.#keys[2 * slot] = node;
    this.#keys[2 * slot + 1] = word;
    this.#children[slot] = child;
    return child;
  }

  #slot(hash: number, node: number, word: number): number {
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.#keys[2 * slot] !== FREE && (this.#keys[2 * slot] !== node || this.#keys[2 * slot + 1] !== word))
      slot = (slot + 1) & this.#mask;
    return slot;
  }

  #double(): void {
    const keys = this.#keys;
    const children = this.#children;
    this.#mask = 2 * this.#mask + 1;
    this.#keys = new Int32Array(2 * (this.#mask + 1)).fill(FREE);
    this.#children = new Int32Array(this.#mask + 1);
    for (let old = 0; old < children.length; old++)
      if (keys[2 * old] !== FREE) {
        const node = keys[2 * old]!;
        const word = keys[2 * old + 1]!;
        this.#put(this.#slot(mix(node, word), node, word), node, word, children[old]!);
      }
  }
}

const mix = (node: number, word: number): number =>
  (Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)) >>> 0;
