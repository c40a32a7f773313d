import { readFileSync } from 'node:fs';
import { extractFeatures, getFeatureShare, MeaningReader, type Meanings } from './features.ts';
import { getPassages, getReadings } from './passages.ts';

/** The weights learned by `npm run train -- review`, which recognize texts that address a model. */
export interface ReviewWeights {
  /** Hash of the texts and sources that the weights were learned from. */
  learnedFrom: string;
  meanings: Meanings;
  /** Log odds of a text without any known feature. */
  bias: number;
  /** Log odds of one step of a weight. */
  step: number;
  /** Sorted. */
  features: Uint32Array;
  /** Weight of each feature, in steps. */
  weights: Int8Array;
}

export const REVIEW_WEIGHTS = new URL('./review.bin', import.meta.url);
const LINE_FEED = 0x0a;

/** Format: a line of JSON, then the difference of each feature to the previous one (two bytes), then the weights (one byte). */
function unpackReviewWeights(file: Uint8Array): ReviewWeights {
  const end = file.indexOf(LINE_FEED) + 1;
  const weights = new Int8Array(file.subarray(end + (2 * (file.length - end)) / 3));
  const steps = new Uint16Array(new Uint8Array(file.subarray(end, file.length - weights.length)).buffer);
  const features = new Uint32Array(steps.length);
  for (const [i, step] of steps.entries()) features[i] = (features[i - 1] ?? 0) + step;
  return { ...JSON.parse(new TextDecoder().decode(file.subarray(0, end))), features, weights };
}

let loaded: ReviewModel | undefined;

/** Loads the model once per process, when a campaign is first saved. Its file is next to the bundle, or next to this file. */
export function loadReviewModel(): ReviewModel {
  loaded ??= new ReviewModel(unpackReviewWeights(readFileSync(REVIEW_WEIGHTS)));
  return loaded;
}

/** Logistic regression on the features of passages. Above log odds of 0, a passage addresses a model. */
class ReviewModel {
  readonly #weights: ReviewWeights;
  readonly #meanings: MeaningReader;

  constructor(weights: ReviewWeights) {
    this.#weights = weights;
    this.#meanings = new MeaningReader(weights.meanings);
  }

  /** Hash of the texts and sources that the weights were learned from. */
  get learnedFrom(): string {
    return this.#weights.learnedFrom;
  }

  /**
   * Finds the passage of a text with the highest log odds.
   * @param cache log odds by reading, because the same readings appear both in a text and joined with others
   */
  findStrongest(text: string, cache: Map<string, number>): { passage: string; logOdds: number } {
    let best = { passage: '', logOdds: Number.NEGATIVE_INFINITY };
    for (const passage of getPassages(text)) {
      const logOdds = this.logOdds(passage, cache);
      if (logOdds > best.logOdds) best = { passage, logOdds };
    }
    return best;
  }

  /** The highest log odds among the readings of a passage. */
  logOdds(passage: string, cache: Map<string, number>): number {
    let highest = Number.NEGATIVE_INFINITY;
    for (const reading of getReadings(passage)) {
      const logOdds = cache.get(reading) ?? this.#logOdds(reading);
      cache.set(reading, logOdds);
      highest = Math.max(highest, logOdds);
    }
    return highest;
  }

  #logOdds(reading: string): number {
    const features = extractFeatures(reading, this.#meanings);
    let sum = 0;
    for (const feature of features) sum += this.#getWeight(feature);
    return this.#weights.bias + sum * this.#weights.step * getFeatureShare(features);
  }

  #getWeight(feature: number): number {
    const { features, weights } = this.#weights;
    let from = 0;
    let to = features.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const found = features[middle]!;
      if (found === feature) return weights[middle]!;
      if (found < feature) from = middle + 1;
      else to = middle;
    }
    return 0;
  }
}
