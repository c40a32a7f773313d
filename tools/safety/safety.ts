import { writeFileSync } from 'node:fs';
import { packWeights } from '../../infra/lexicon/classifier-weights.ts';
import { SAFETY_WEIGHTS } from '../../infra/lexicon/paths.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { readFolder } from '../evaluate/folder.ts';
import { EvaluationError } from '../evaluate/options.ts';
import { indexFolder } from '../fit/indexed-folder.ts';
import { table } from '../text-table.ts';
import { learnSafety, leaveWritersOut, readSentences, sourcesOfSafety } from './learn-safety.ts';
import { measureCases, measureSafety, readCases, type SafetyFigures, sumFigures } from './measure-safety.ts';

const HEAD = ['source', 'unsafe', 'let through', 'with an ad', 'wanted', 'lost'];

/**
 * `npm run train -- safety <folder> [<folder> …]`: counts unsafe rows of labeled conversations that pass the safety stage and get an ad, and
 * rows that want an ad but lose it. `npm run train -- safety fit`: learns and writes the classifier's weights, and cross-validates by
 * writer. `npm run train -- safety cases <file> [<file> …]`: counts withheld conversations by kind, and lists every mistake.
 */
async function safety([first, ...rest]: readonly string[]): Promise<void> {
  if (first === undefined)
    throw new EvaluationError('Usage: npm run train -- safety <folder of labeled conversations> | fit | cases <file>');
  if (first === 'fit') return fitSafety();
  if (first === 'cases') return rest.forEach(printCases);
  for (const path of [first, ...rest]) await printFolder(path);
}

async function printFolder(path: string): Promise<void> {
  const { bySource, lost } = measureSafety(
    indexFolder(await readFolder(path, Number.POSITIVE_INFINITY), getLexicon()),
    getLexicon(),
  );
  const rows = [...bySource].filter(([, { unsafe, wanted }]) => unsafe + wanted > 0);
  const lines = [...rows, ['all', sumFigures([...bySource.values()])] as const].map(([name, one]) => line(name, one));
  console.log(`${path}\n${table(HEAD, lines).join('\n')}`);
  for (const { id, context } of lost) console.log(`lost ${id}: ${context}`);
}

function fitSafety(): void {
  const sentences = readSentences();
  const weights = learnSafety(sentences);
  writeFileSync(SAFETY_WEIGHTS, packWeights({ ...weights, learnedFrom: sourcesOfSafety() }));
  const left = leaveWritersOut(sentences).map((one) => ({
    ...one,
    isFound: one.scores.distress > 0 || one.scores.unsafe > 0,
  }));
  const share = (found: typeof left) => `${found.filter(({ isFound }) => isFound).length} of ${found.length}`;
  const rows = (key: 'writer' | 'kind' | 'lang') =>
    [...Map.groupBy(left, (sentence) => sentence[key])].map(([name, all]) => [
      name,
      share(all.filter(({ label }) => label === 1)),
      share(all.filter(({ label }) => label === 0)),
    ]);
  for (const key of ['writer', 'kind', 'lang'] as const)
    console.log(table([key, 'found', 'ordinary withheld'], rows(key)).join('\n'));
}

function printCases(path: string): void {
  const measured = measureCases(readCases(path), getLexicon());
  const rows = [...Map.groupBy(measured, ({ kind }) => kind)].map(([kind, cases]) => [
    kind,
    `${cases.filter(({ withhold, isWithheld }) => withhold && isWithheld).length} of ${cases.filter(({ withhold }) => withhold).length}`,
    `${cases.filter(({ withhold, isWithheld }) => !withhold && isWithheld).length} of ${cases.filter(({ withhold }) => !withhold).length}`,
  ]);
  console.log(`${path}\n${table(['kind', 'distress withheld', 'ordinary withheld'], rows).join('\n')}`);
  for (const { messages, kind, withhold, isWithheld } of measured)
    if (withhold !== isWithheld)
      console.log(
        `${withhold ? 'missed' : 'withheld'} (${kind}): ${messages.map(({ content }) => content).join(' / ')}`,
      );
}

const line = (name: string, { unsafe, passed, advertised, wanted, lost }: SafetyFigures): string[] => [
  name,
  `${unsafe}`,
  share(passed, unsafe),
  share(advertised, unsafe),
  `${wanted}`,
  share(lost, wanted),
];

const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

await safety(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof EvaluationError ? error.message : error);
  process.exitCode = error instanceof EvaluationError ? 2 : 1;
});
