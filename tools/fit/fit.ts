import { lexicon } from '../../shared/catalog/lexicon.ts';
import { readFolder } from '../evaluate/folder.ts';
import { Unusable } from '../evaluate/options.ts';
import type { ScoreFigures } from '../evaluate/score.ts';
import { table } from '../evaluate/table.ts';
import { type Seen, see } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { leaveOut } from './leave-out.ts';
import { stage } from './stage.ts';
import { trial } from './trial.ts';
import { names, type Weights } from './weights.ts';

const HEAD = ['source', 'rows', 'F1', 'false bids', 'left out: F1', 'false bids'];

/**
 * `npm run fit -- <folder> [<folder> …]`: the weights of relevance (shared/matching/ranking/model.ts) as judged conversations would
 * have them, and how well the engine bids on each source with weights that have not seen it.
 */
async function fit(folders: readonly string[]): Promise<void> {
  if (folders.length === 0)
    throw new Unusable('Name folders of judged conversations: npm run fit -- <folder> [<folder> …]');
  const seen: Seen[] = [];
  for (const path of folders) {
    const staged = stage(await readFolder(path, Number.POSITIVE_INFINITY), lexicon());
    for (const row of staged.rows) seen.push(see(staged, row, lexicon()));
  }
  const weights = fitWeights(seen);
  console.log(inLines(weights));

  const sources = leaveOut(seen, weights);
  const rows = sources.map(({ source, known, unknown }) => line(source, known, unknown));
  console.log(`\n${table(HEAD, [...rows, line('all', trial(seen, weights))]).join('\n')}`);
  const leftOut = sources.flatMap(({ known, unknown }) => (unknown && known.positives > 0 ? [unknown.f1] : []));
  if (leftOut.length > 0)
    console.log(`\nmean F1 of the sources that want ads, each left out: ${percent(mean(leftOut))} %`);
}

function inLines({ figures, calibration }: Weights): string {
  const named = [...names.map((name, i) => [name, figures[i]!] as const), ...Object.entries(calibration)];
  return named.map(([name, weight]) => `${name.padEnd(10)} ${weight.toFixed(2)}`).join('\n');
}

const line = (name: string, known: ScoreFigures, unknown?: ScoreFigures): string[] => [
  name,
  `${known.rows}`,
  ...[known, unknown].flatMap((one) => [
    one && one.positives > 0 ? percent(one.f1) : '-',
    one && one.negatives > 0 ? percent(one.falseBidRate) : '-',
  ]),
];

const percent = (share: number): string => (100 * share).toFixed(1);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value) / values.length;

await fit(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof Unusable ? error.message : error);
  process.exitCode = error instanceof Unusable ? 2 : 1;
});
