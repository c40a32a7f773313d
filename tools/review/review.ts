import { writeFileSync } from 'node:fs';
import { REVIEW_WEIGHTS } from '../../shared/review/model.ts';
import { table } from '../evaluate/table.ts';
import { learnReview } from './learn-review.ts';
import { measureReview } from './measure-review.ts';
import { packReviewWeights } from './pack.ts';
import { readTexts } from './texts.ts';

const HEAD = ['language', 'attacks', 'found', 'harmless', 'taken for one'];

const LANDING = '--landing=';

/**
 * `npm run review` learns the weights of the review of creatives from `tools/review/texts`, and writes them: the same file each time.
 * `npm run review -- [--landing=<url>] <file> …` measures the review by other texts, which it did not learn from, of ads that lead to the URL.
 */
function review(given: readonly string[]): void {
  const paths = given.filter((one) => !one.startsWith(LANDING));
  const landingUrl = given.find((one) => one.startsWith(LANDING))?.slice(LANDING.length);
  if (paths.length === 0) writeFileSync(REVIEW_WEIGHTS, packReviewWeights(learnReview()));
  for (const path of paths) {
    const rows = measureReview(readTexts(path), landingUrl).map(({ language, attacks, found, harmless, mistaken }) => [
      language,
      `${attacks}`,
      share(found, attacks),
      `${harmless}`,
      share(mistaken, harmless),
    ]);
    console.log(`${path}\n${table(HEAD, rows).join('\n')}`);
  }
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${part} (${((100 * part) / whole).toFixed(1)} %)`;

review(process.argv.slice(2));
