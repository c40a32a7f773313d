import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ReviewWeights } from '../../shared/review/model.ts';
import { learn } from './learn.ts';
import { readTexts } from './texts.ts';

const HERE = import.meta.dirname;
const MEANINGS = `${HERE}/meanings.json`;

/** Texts that were written to learn from, and those of other writers, some of which the review was measured by before. */
const TEXTS = [
  'own',
  'early',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
].map((name) => `${HERE}/texts/${name}.json`);

/** What reads them. */
const CODE = [`${HERE}/learn.ts`, ...['features', 'passages'].map((name) => `${HERE}/../../shared/review/${name}.ts`)];

/** What the texts of this folder teach. */
export const learnReview = (): ReviewWeights => ({
  ...learn(TEXTS.flatMap(readTexts), JSON.parse(readFileSync(MEANINGS, 'utf8'))),
  learnedFrom: sourcesOfReview(),
});

/** Stands for everything that is learned from: weights of other sources are out of date. */
export function sourcesOfReview(): string {
  const hash = createHash('sha256');
  for (const path of [MEANINGS, ...CODE, ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('hex');
}
