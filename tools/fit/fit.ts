import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { readFolder } from '../evaluate/folder.ts';
import { EvaluationError } from '../evaluate/options.ts';
import { computeFigures } from '../evaluate/score.ts';
import { table } from '../text-table.ts';
import { buildExamples, type RowExamples } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { indexFolder } from './indexed-folder.ts';
import { crossValidate, type RowTrial, scoreWinner } from './leave-out.ts';
import { chooseThresholds } from './thresholds.ts';
import { figureNames, WEIGHTS_FILE, writeWeights } from './weights.ts';

const HEAD = ['rows', 'F1', 'precision', 'recall', 'false bids', 'left out: F1', 'precision', 'recall', 'false bids'];

/**
 * `npm run train -- fit <folder> [<folder> …] [--out <file>]`: fits the weights of relevance (shared/matching/ranking/relevance-model.ts) to labeled
 * conversations, chooses the thresholds of each strictness by the left-out results, and writes both. Prints how well the engine bids with
 * these weights, and with weights fitted without each row's source and campaigns.
 */
async function fit(args: readonly string[]): Promise<void> {
  const { values, positionals: folders } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string', default: fileURLToPath(WEIGHTS_FILE) } },
  });
  if (folders.length === 0)
    throw new EvaluationError(
      'Usage: npm run train -- fit <folder of labeled conversations> [<folder> …] [--out <file>]',
    );
  const seen: RowExamples[] = [];
  for (const path of folders) {
    const indexed = indexFolder(await readFolder(path, Number.POSITIVE_INFINITY), getLexicon());
    for (const row of indexed.rows) seen.push(buildExamples(indexed, row, getLexicon()));
  }
  const weights = fitWeights(seen);
  console.log(figureNames.map((name, i) => `${name.padEnd(14)} ${weights[i]!.toFixed(2)}`).join('\n'));

  const trials = crossValidate(seen, weights);
  const thresholds = chooseThresholds(trials, ({ seen }) => seen.folder);
  writeWeights(values.out, weights, thresholds);
  for (const by of ['slice', 'source'] as const)
    report(by, trials, thresholds.balanced, ({ seen: { row } }) => row[by]);
  const folderOf = new Map(seen.map((one) => [one.folder, '']));
  for (const [i, one] of [...folderOf.keys()].entries()) folderOf.set(one, folders[i]!);
  for (const [strictness, threshold] of Object.entries(thresholds))
    report(`${strictness} (${threshold})`, trials, threshold, ({ seen: one }) => folderOf.get(one.folder)!);
}

function report(by: string, trials: readonly RowTrial[], threshold: number, keyOf: (trial: RowTrial) => string): void {
  const groups = [...Map.groupBy(trials, keyOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  console.log(
    `\n${table(
      [by, ...HEAD],
      groups.map(([name, own]) => [name, ...cells(own, threshold)]),
    ).join('\n')}`,
  );
}

function cells(trials: readonly RowTrial[], threshold: number): string[] {
  const both = (['fitted', 'heldOut'] as const).map((which) =>
    computeFigures(trials.map((trial) => scoreWinner(trial.seen.row, trial[which], threshold))),
  );
  return [
    `${trials.length}`,
    ...both.flatMap(({ positives, negatives, f1, precision, recall, falseBidRate }) => [
      positives > 0 ? percent(f1) : '-',
      positives > 0 ? percent(precision) : '-',
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
