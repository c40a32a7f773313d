import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { readFolder } from '../evaluate/folder.ts';
import { EvaluationError } from '../evaluate/options.ts';
import { computeFigures } from '../evaluate/score.ts';
import { table } from '../text-table.ts';
import { buildExamples, type RowExamples } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { indexFolder } from './indexed-folder.ts';
import { crossValidate, type RowTrial } from './leave-out.ts';
import { figureNames } from './weights.ts';

const HEAD = ['rows', 'F1', 'recall', 'false bids', 'left out: F1', 'recall', 'false bids'];

/**
 * `npm run train -- fit <folder> [<folder> …]`: fits the weights of relevance (shared/matching/ranking/relevance-model.ts) to labeled
 * conversations. Prints how well the engine bids with these weights, and with weights fitted without each row's source and campaigns.
 */
async function fit(folders: readonly string[]): Promise<void> {
  if (folders.length === 0)
    throw new EvaluationError('Usage: npm run train -- fit <folder of labeled conversations> [<folder> …]');
  const seen: RowExamples[] = [];
  for (const path of folders) {
    const indexed = indexFolder(await readFolder(path, Number.POSITIVE_INFINITY), getLexicon());
    for (const row of indexed.rows) seen.push(buildExamples(indexed, row, getLexicon()));
  }
  const weights = fitWeights(seen);
  console.log(figureNames.map((name, i) => `${name.padEnd(14)} ${weights[i]!.toFixed(2)}`).join('\n'));

  const trials = crossValidate(seen, weights);
  for (const by of ['slice', 'source'] as const) report(by, trials, ({ seen: { row } }) => row[by]);
  const folderOf = new Map(seen.map((one) => [one.folder, '']));
  for (const [i, one] of [...folderOf.keys()].entries()) folderOf.set(one, folders[i]!);
  report('folder', trials, ({ seen: one }) => folderOf.get(one.folder)!);
}

function report(by: string, trials: readonly RowTrial[], keyOf: (trial: RowTrial) => string): void {
  const groups = [...Map.groupBy(trials, keyOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  console.log(
    `\n${table(
      [by, ...HEAD],
      groups.map(([name, own]) => [name, ...cells(own)]),
    ).join('\n')}`,
  );
}

function cells(trials: readonly RowTrial[]): string[] {
  const both = [trials.map(({ fitted }) => fitted), trials.map(({ heldOut }) => heldOut)].map(computeFigures);
  return [
    `${trials.length}`,
    ...both.flatMap(({ positives, negatives, f1, recall, falseBidRate }) => [
      positives > 0 ? percent(f1) : '-',
      positives > 0 ? percent(recall) : '-',
      negatives > 0 ? percent(falseBidRate) : '-',
    ]),
  ];
}

const percent = (share: number): string => (100 * share).toFixed(1);

await fit(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof EvaluationError ? error.message : error);
  process.exitCode = error instanceof EvaluationError ? 2 : 1;
});
