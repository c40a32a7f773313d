import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ReviewWeights } from '../../shared/campaigns/review/model.ts';
import { learn } from './learn.ts';
import { readCreatives } from './texts.ts';

const HERE = import.meta.dirname;
const MEANINGS = `${HERE}/meanings.json`;

/** Texts that were written to learn from, and those of other writers, some of which the review was measured by before. */
const TEXTS = readdirSync(`${HERE}/texts`)
  .toSorted()
  .map((name) => `${HERE}/texts/${name}`);

/** What reads them. */
const CODE = [
  `${HERE}/learn.ts`,
  ...['features', 'letters', 'passages'].map((name) => `${HERE}/../../shared/campaigns/review/${name}.ts`),
];

/** Who wrote a file of texts: what its name begins with. */
const getWriter = (path: string): string => basename(path).replace(/[-.].*$/u, '');

/** What a writer's files hold. */
export const findFiles = (writer: string): string[] => TEXTS.filter((path) => getWriter(path) === writer);

/** What the texts of this folder teach, or those of all writers but one. */
export const learnReview = (without?: string): ReviewWeights => ({
  ...learn(
    TEXTS.filter((path) => getWriter(path) !== without).flatMap((path) => readCreatives(path)),
    JSON.parse(readFileSync(MEANINGS, 'utf8')),
  ),
  learnedFrom: hashReviewSources(),
});

/** Stands for everything that is learned from: weights of other sources are out of date. */
export function hashReviewSources(): string {
  const hash = createHash('sha256');
  for (const path of [MEANINGS, ...CODE, ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('hex');
}

const MAX_GAP = 0xffff;

/** As `loadReviewModel` reads it. */
export function packReviewWeights({ features, weights, ...rest }: ReviewWeights): Uint8Array {
  const steps = Uint16Array.from(features, (feature, i) => {
    const step = feature - (features[i - 1] ?? 0);
    if (step > MAX_GAP) throw new RangeError('two features are too far apart to be told in two bytes');
    return step;
  });
  const bytes = [new Uint8Array(steps.buffer), new Uint8Array(weights.buffer)];
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), ...bytes]);
}
