import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ReviewWeights } from '../../shared/campaigns/review/model.ts';
import { learn } from './learn.ts';
import { readCreatives } from './texts.ts';

const HERE = import.meta.dirname;
const MEANINGS = `${HERE}/meanings.json`;

/** All training texts, including those of writers that earlier measured the review. */
const TEXTS = readdirSync(`${HERE}/texts`)
  .toSorted()
  .map((name) => `${HERE}/texts/${name}`);

/** The code that extracts features from the texts. */
const CODE = [
  `${HERE}/learn.ts`,
  ...['features', 'letters', 'passages'].map((name) => `${HERE}/../../shared/campaigns/review/${name}.ts`),
];

/** The writer of a text file: the start of the file name. */
const getWriter = (path: string): string => basename(path).replace(/[-.].*$/u, '');

/** The files of a writer. */
export const findFiles = (writer: string): string[] => TEXTS.filter((path) => getWriter(path) === writer);

/** Learns weights from all texts, or from all except those of one writer. */
export const learnReview = (without?: string): ReviewWeights => ({
  ...learn(
    TEXTS.filter((path) => getWriter(path) !== without).flatMap((path) => readCreatives(path)),
    JSON.parse(readFileSync(MEANINGS, 'utf8')),
  ),
  learnedFrom: hashReviewSources(),
});

/** A hash of everything that the weights are learned from, to detect outdated weights. */
export function hashReviewSources(): string {
  const hash = createHash('sha256');
  for (const path of [MEANINGS, ...CODE, ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('hex');
}

const MAX_GAP = 0xffff;

/** Packs weights in the format that `loadReviewModel` reads. */
export function packReviewWeights({ features, weights, ...rest }: ReviewWeights): Uint8Array {
  const steps = Uint16Array.from(features, (feature, i) => {
    const step = feature - (features[i - 1] ?? 0);
    if (step > MAX_GAP) throw new RangeError('Two features are too far apart for a gap of two bytes');
    return step;
  });
  const bytes = [new Uint8Array(steps.buffer), new Uint8Array(weights.buffer)];
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), ...bytes]);
}
