import { type Denying, denial } from '../reading/negation.ts';
import { fingerprint } from '../text/fingerprint.ts';
import { stem } from '../text/stem.ts';
import { mix } from '../text/token-scanner.ts';
import { FILLERS, START } from '../text/words.ts';
import type { Lexicon } from './lexicon.ts';
import { rarity } from './rarity.ts';

/** What is known of a word by itself, whatever it stands beside. */
export interface Entry extends Denying {
  /** As written, folded; what explanations show. */
  readonly said: string;
  /** Number in the lexicon's vocabulary, -1 unknown. */
  readonly vocabulary: number;
  readonly rarity: number;
  /** Of its stem. */
  readonly print: number;
  /** Whether it is left out. */
  readonly filler: boolean;
  /** Its number among the words of the market, -1 none, and how many words the market had when that was looked up. */
  term: number;
  asOf: number;
}

/** Longer words are not remembered: hardly any is said twice, and a stranger could have a gigabyte of them kept. */
const LONGEST = 24;
/** Words remembered that share a place; the next one there takes the place of another. */
const WAYS = 4;
const ROOM = 1 << 15;

/**
 * The words met lately, so that a word is stemmed and looked up once, not each time somebody says it: found by the characters
 * of the text itself, which makes no string. Its memory is bounded: people's words repeat, a stranger's need not. Each index has its
 * own, because entries carry numbers of its market.
 */
export class Wordbook {
  /** Stands before each message. */
  readonly start: Entry;
  readonly #lexicon: Lexicon;
  readonly #hashes = new Int32Array(ROOM);
  readonly #entries: (Entry | undefined)[] = new Array(ROOM).fill(undefined);
  /** Which of the words that share a place goes next. */
  #next = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.start = this.#learn(START);
  }

  /** The entry of a word of a text; `hash` is the figure of its characters. */
  find(text: string, from: number, to: number, hash: number): Entry {
    const first = Math.imul(hash ^ (hash >>> 15), WAYS) & (ROOM - 1);
    for (let place = first; place < first + WAYS; place++) {
      if (this.#hashes[place] !== hash) continue;
      const entry = this.#entries[place];
      if (entry !== undefined && isAt(text, from, to, entry.said)) return entry;
    }
    if (to - from > LONGEST) return this.#learn(text.slice(from, to));
    let place = first;
    while (place < first + WAYS && this.#entries[place] !== undefined) place++;
    if (place === first + WAYS) place = first + (this.#next++ % WAYS);
    const entry = this.#learn(copy(text, from, to));
    this.#hashes[place] = hash;
    this.#entries[place] = entry;
    return entry;
  }

  /** As `find`, of a word that stands by itself. */
  findWord(word: string): Entry {
    let hash = 0;
    for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i));
    return this.find(word, 0, word.length, hash);
  }

  #learn(said: string): Entry {
    const { vocabulary, rarities, bands } = this.#lexicon;
    const root = stem(said);
    const number = vocabulary.get(root) ?? -1;
    return {
      said,
      stem: root,
      vocabulary: number,
      rarity: number < 0 ? rarity(root, bands) : rarities[number]!,
      print: fingerprint(root),
      denial: denial(said, root),
      filler: FILLERS.has(said),
      term: -1,
      asOf: 0,
    };
  }
}

function isAt(text: string, from: number, to: number, word: string): boolean {
  if (word.length !== to - from) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(from + i)) return false;
  return true;
}

/** A slice would keep the whole text in memory for the sake of the word. */
const copy = (text: string, from: number, to: number): string =>
  String.fromCharCode(...Array.from({ length: to - from }, (_, i) => text.charCodeAt(from + i)));
