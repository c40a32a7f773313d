import type { WordRules } from '../language/word-rules.ts';
import { type Lexicon, VECTOR_SIZE } from '../lexicon/lexicon.ts';
import { getRarity } from '../lexicon/rarity.ts';
import { addWordVector, normalize, VECTOR_LENGTH } from '../lexicon/vectors.ts';
import { splitWords } from '../text/words.ts';
import { toCapacity } from './growable-arrays.ts';
import type { IndexColumns } from './segment.ts';

const INTERESTS_WEIGHT = 0.3;
const CREATIVE_WEIGHT = 0.2;

interface CampaignTexts {
  keywords: readonly string[];
  interests: readonly string[];
  headline: string;
  description: string;
  callToAction: string;
}

/** The vector of a campaign's texts, of length 1; zeros if no word has a vector. Keywords weigh most, all equally. */
export function buildCampaignVector(
  { keywords, interests, headline, description, callToAction }: CampaignTexts,
  rules: WordRules,
  lexicon: Lexicon,
): Float32Array {
  const sum = new Float32Array(VECTOR_SIZE);
  const add = (texts: readonly string[], weight: number) => {
    for (const text of texts)
      buildTextVector(text, rules, lexicon).forEach((value, k) => {
        sum[k]! += (weight * value) / texts.length;
      });
  };
  add(keywords, 1);
  add(interests, INTERESTS_WEIGHT);
  add([`${headline}. ${description}. ${callToAction}`], CREATIVE_WEIGHT);
  return normalize(sum);
}

/** Encodes a vector in base64; empty for zeros. */
export function encodeVector(vector: Float32Array): string {
  const numbers = Int8Array.from(vector, (value) => Math.round(VECTOR_LENGTH * value));
  return numbers.some((value) => value !== 0) ? Buffer.from(numbers.buffer).toString('base64') : '';
}

function buildTextVector(text: string, rules: WordRules, lexicon: Lexicon): Float32Array {
  const sum = new Float32Array(VECTOR_SIZE);
  for (const { word } of splitWords(text, rules)) {
    const { plain, isFunctionWord } = rules.getForms(word);
    if (isFunctionWord) continue;
    addWordVector(sum, lexicon.vocabulary.get(plain) ?? -1, getRarity(plain, lexicon.frequencyBands), lexicon);
  }
  return normalize(sum);
}

/** Decodes a vector from base64. An empty one becomes zeros, which resemble nothing. */
export function decodeVector(base64: string): Int8Array {
  const vector = new Int8Array(VECTOR_SIZE);
  vector.set(Buffer.from(base64, 'base64').subarray(0, VECTOR_SIZE));
  return vector;
}

/** The vectors of campaigns, by slot. */
export class VectorTable {
  #numbers: Int8Array;

  constructor(columns?: IndexColumns) {
    this.#numbers = columns?.vectors.numbers ?? new Int8Array(2 * VECTOR_SIZE);
  }

  /** @param vector in base64, or empty */
  set(slot: number, vector: string): void {
    const start = VECTOR_SIZE * slot;
    if (start + VECTOR_SIZE > this.#numbers.length) {
      const larger = new Int8Array(VECTOR_SIZE * toCapacity(slot + 1));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.set(decodeVector(vector), start);
  }

  /** The cosine similarity, from 0 to 1, of a campaign to a vector of length 1. Negative values count as 0. */
  likeness(slot: number, vector: Float32Array): number {
    const numbers = this.#numbers;
    const start = VECTOR_SIZE * slot;
    let product = 0;
    for (let k = 0; k < VECTOR_SIZE; k++) product += vector[k]! * numbers[start + k]!;
    return Math.max(0, Math.min(1, product / VECTOR_LENGTH));
  }
}
