const FREE = -1;
/** Bits of the sieve, as a power of 2: some fifteen for every edge of a lexicon. */
const SIEVE = 19;

/**
 * Phrases as a tree of words, in open-addressed typed arrays: an edge is (node, word) -> node. Small to hold, quick to build,
 * and a look-up allocates nothing.
 */
export class Trie {
  #nodes = 1;
  // Room for the whole lexicon: growing would put every edge several times.
  #mask = (1 << 17) - 1;
  #keys = new Int32Array(2 * (this.#mask + 1)).fill(FREE);
  #children = new Int32Array(this.#mask + 1);
  /**
   * A bit for every edge, several edges to a bit. Most words that follow each other begin no phrase, and these 64 KB say so
   * from the processor's own memory, where the table would be fetched from afar.
   */
  readonly #sieve = new Int32Array(1 << (SIEVE - 5));

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
    if ((this.#sieve[hash >>> (37 - SIEVE)]! & (1 << (hash >>> (32 - SIEVE)))) === 0) return -1;
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
    this.#sieve[hash >>> (37 - SIEVE)]! |= 1 << (hash >>> (32 - SIEVE));
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
