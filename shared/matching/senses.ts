/** What phrases mean, by the trie node that they end at: the senses of a node are those from `first[node]` to before `first[node + 1]`. */
export interface Senses {
  first: Int32Array;
  topics: Uint16Array;
  kinds: Uint8Array;
  /** How much the words alone say, 0..1. */
  weights: Float64Array;
}

/** Senses in the order that they are read in, to be put in order of nodes: a look-up then reads a few numbers that lie side by side. */
export class SenseList {
  readonly #nodes: number[] = [];
  readonly #topics: number[] = [];
  readonly #kinds: number[] = [];
  readonly #weights: number[] = [];

  add(node: number, topic: number, kind: number, weight: number): void {
    this.#nodes.push(node);
    this.#topics.push(topic);
    this.#kinds.push(kind);
    this.#weights.push(weight);
  }

  /** Those of one node stay in the order that they were read in. */
  byNode(nodes: number): Senses {
    const { length } = this.#nodes;
    const first = new Int32Array(nodes + 1);
    for (const node of this.#nodes) first[node + 1]!++;
    for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!;
    const senses = {
      first,
      topics: new Uint16Array(length),
      kinds: new Uint8Array(length),
      weights: new Float64Array(length),
    };
    const next = first.slice();
    for (let sense = 0; sense < length; sense++) {
      const place = next[this.#nodes[sense]!]!++;
      senses.topics[place] = this.#topics[sense]!;
      senses.kinds[place] = this.#kinds[sense]!;
      senses.weights[place] = this.#weights[sense]!;
    }
    return senses;
  }
}
