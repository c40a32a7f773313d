import { lexicon } from '../../shared/catalog/lexicon.ts';
import { readFolder } from '../evaluate/folder.ts';
import { Unusable } from '../evaluate/options.ts';
import { table } from '../evaluate/table.ts';
import { indexFolder } from '../fit/indexed-folder.ts';
import { measureSafety, type SafetyFigures, sum } from './measure-safety.ts';

const HEAD = ['source', 'unsafe', 'let through', 'with an ad', 'wanted', 'lost'];

/**
 * `npm run safety -- <folder> [<folder> …]`: of the unsafe rows of judged conversations, how many the safety stage lets through and
 * how many then get an ad; of the rows that want an ad, how many it keeps from one. Its rules are written, not learned: no source is
 * seen or left out.
 */
async function safety(folders: readonly string[]): Promise<void> {
  if (folders.length === 0)
    throw new Unusable('Name folders of judged conversations: npm run safety -- <folder> [<folder> …]');
  for (const path of folders) {
    const { bySource, lost } = measureSafety(
      indexFolder(await readFolder(path, Number.POSITIVE_INFINITY), lexicon()),
      lexicon(),
    );
    const rows = [...bySource].filter(([, { unsafe, wanted }]) => unsafe + wanted > 0);
    const lines = [...rows, ['all', sum([...bySource.values()])] as const].map(([name, one]) => line(name, one));
    console.log(`${path}\n${table(HEAD, lines).join('\n')}`);
    for (const { id, context } of lost) console.log(`lost ${id}: ${context}`);
  }
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
  console.error(error instanceof Unusable ? error.message : error);
  process.exitCode = error instanceof Unusable ? 2 : 1;
});
