import { lexicon } from '../../shared/lexicon.ts';
import { readFolder } from '../evaluate/folder.ts';
import { Unusable } from '../evaluate/options.ts';
import type { Figures } from '../evaluate/score.ts';
import { table } from '../evaluate/table.ts';
import { type Seen, see } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { stage } from './stage.ts';
import { trial } from './trial.ts';
import { names } from './weights.ts';

/**
 * `npm run fit -- <folder> [<folder> …]`: the weights of relevance (shared/matching/weights.ts) as judged conversations would
 * have them, and how well the engine bids on each source with weights that have not seen it.
 */
async function fit(folders: readonly string[]): Promise<void> {
  if (folders.length === 0)
    throw new Unusable('Name folders of judged conversations: npm run fit -- <folder> [<folder> …]');
  const seen: Seen[] = [];
  for (const path of folders) {
    const folder = await readFolder(path, Number.POSITIVE_INFINITY);
    const staged = stage(folder, lexicon());
    for (const row of staged.rows) seen.push(see(staged, row, lexicon()));
  }
  const weights = fitWeights(seen);
  const { figures, claim } = weights;
  const named = [...names.map((name, i) => [name, figures[i]!] as const), ...Object.entries(claim)];
  console.log(named.map(([name, weight]) => `${name.padEnd(10)} ${weight.toFixed(2)}`).join('\n'));
  const sources = [...new Set(seen.map(({ row }) => row.source))];
  const whole = trial(seen, weights);
  const leftOut = sources.map((source) => {
    const own = seen.filter(({ row }) => row.source === source);
    const others = seen.filter(({ row }) => row.source !== source);
    return {
      source,
      known: trial(own, weights),
      unknown: others.length === 0 ? undefined : trial(own, fitWeights(others)),
    };
  });
  const line = (name: string, known: Figures, unknown?: Figures): string[] => [
    name,
    `${known.rows}`,
    ...[known, unknown].flatMap((one) => [
      known.positives > 0 ? percent(one?.f1) : '-',
      known.negatives > 0 ? percent(one?.falseBidRate) : '-',
    ]),
  ];
  console.log(
    `\n${table(
      ['source', 'rows', 'F1', 'false bids', 'left out: F1', 'false bids'],
      [...leftOut.map(({ source, known, unknown }) => line(source, known, unknown)), line('all', whole)],
    ).join('\n')}`,
  );
  const wanting = leftOut.flatMap(({ known, unknown }) => (known.positives > 0 && unknown ? [unknown.f1] : []));
  if (wanting.length > 0)
    console.log(
      `\nmean F1 of the sources that want ads, each left out: ${percent(wanting.reduce((a, b) => a + b) / wanting.length)} %`,
    );
}

const percent = (share: number | undefined): string => (share === undefined ? '-' : (100 * share).toFixed(1));

await fit(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof Unusable ? error.message : error);
  process.exitCode = error instanceof Unusable ? 2 : 1;
});
