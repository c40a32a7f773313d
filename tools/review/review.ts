import { writeFileSync } from 'node:fs';
import { TEXT_FIELDS } from '../../shared/campaigns/creative.ts';
import { REVIEW_WEIGHTS } from '../../shared/campaigns/review/model.ts';
import { table } from '../text-table.ts';
import { findFiles, learnReview, packReviewWeights } from './learn-review.ts';
import { latinLookalikes } from './lookalikes.ts';
import { type Mistake, measureReview } from './measure-review.ts';
import { readCreatives } from './texts.ts';

const HEAD = ['language', 'attacks', 'found', 'ordinary', 'rejected'];

const LOOKALIKES = new URL('../../shared/campaigns/review/lookalikes.json', import.meta.url);
const LANDING = '--landing=';
const WITHOUT = '--without=';

/**
 * `npm run train -- review` learns the weights of the creative review from `tools/review/texts`, and writes them and the Latin lookalikes.
 * The files are the same on each run. `npm run train -- review [--landing=<url>] <file> …` measures the review on other creatives, and lists
 * every mistake. Plain texts become creatives with this landing URL. `npm run train -- review --without=<writer>` learns without this writer
 * and measures on that writer's texts, then learns from all texts again.
 */
function review(given: readonly string[]): void {
  const paths = given.filter((one) => !one.startsWith('--'));
  const landingUrl = given.find((one) => one.startsWith(LANDING))?.slice(LANDING.length);
  const without = given.find((one) => one.startsWith(WITHOUT))?.slice(WITHOUT.length);
  if (paths.length === 0) writeFileSync(LOOKALIKES, `${JSON.stringify(latinLookalikes(), null, 2)}\n`);
  if (paths.length === 0) writeFileSync(REVIEW_WEIGHTS, packReviewWeights(learnReview(without)));
  for (const path of without ? findFiles(without) : paths) {
    const { figures, mistakes } = measureReview(readCreatives(path, landingUrl));
    const rows = figures.map(({ language, attacks, found, harmless, mistaken }) => [
      language,
      `${attacks}`,
      share(found, attacks),
      `${harmless}`,
      share(mistaken, harmless),
    ]);
    console.log(`${path}\n${[...table(HEAD, rows), ...mistakes.map(describeMistake)].join('\n')}`);
  }
  if (without) writeFileSync(REVIEW_WEIGHTS, packReviewWeights(learnReview()));
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${part} (${((100 * part) / whole).toFixed(1)} %)`;

function describeMistake({ language, isAttack, creative, found }: Mistake): string {
  const texts = TEXT_FIELDS.map((name) => creative[name])
    .filter(Boolean)
    .join(' | ');
  return `${isAttack ? 'missed' : 'rejected'} (${language}): ${texts}${found ? `\n  ${found}` : ''}`;
}

review(process.argv.slice(2));
