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
const writerOf = (path: string): string => basename(path).replace(/[-.].*$/u, '');

/** What a writer's files hold. */
export const filesOf = (writer: string): string[] => TEXTS.filter((path) => writerOf(path) === writer);

/** What the texts of this folder teach, or those of all writers but one. */
export const learnReview = (without?: string): ReviewWeights => ({
  ...learn(
    TEXTS.filter((path) => writerOf(path) !== without).flatMap((path) => readCreatives(path)),
    JSON.parse(readFileSync(MEANINGS, 'utf8')),
  ),
  learnedFrom: sourcesOfReview(),
});

/** Stands for everything that is learned from: weights of other sources are out of date. */
export function sourcesOfReview(): string {
  const hash = createHash('sha256');
  for (const path of [MEANINGS, ...CODE, ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('hex');
}
