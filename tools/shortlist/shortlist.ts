import { JUDGED_THRESHOLD } from '../../shared/bidding/judged.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { type JudgedRow, readFolder } from '../evaluate/folder.ts';
import { Unusable } from '../evaluate/options.ts';
import { table } from '../evaluate/table.ts';
import { indexFolder } from '../fit/indexed-folder.ts';
import { leaveGroupsOut, measureAt, shortlisted } from './measure-shortlist.ts';

const THRESHOLDS = [0.05, 0.08, 0.1, 0.12, 0.15, 0.18, 0.2, 0.22, 0.25, 0.28, 0.3, 0.35, 0.4, 0.5];
const MOST_FALSE = 0.03;
const HEAD = [
  'threshold',
  'right one shown',
  'right one there',
  'asked about',
  'precision',
  'recall',
  'F1',
  'false bids',
];

const GROUPS: Record<string, (row: JudgedRow) => string> = {
  source: ({ source }) => source,
  campaign: ({ gold, id }) => gold[0] ?? `none, ${id.at(-1)}`,
};

/**
 * `npm run shortlist -- <folder> [<folder> …]`: at which relevance a second opinion should be asked for. What a judge that knows the labels
 * and errs in one row of twenty would make of the candidates over each threshold, and which threshold is chosen with sources and with
 * campaigns left out.
 */
async function shortlist(folders: readonly string[]): Promise<void> {
  if (folders.length === 0)
    throw new Unusable('Name folders of judged conversations: npm run shortlist -- <folder> [<folder> …]');
  for (const path of folders) {
    const all = shortlisted(indexFolder(await readFolder(path, Number.POSITIVE_INFINITY), lexicon()));
    const lines = THRESHOLDS.map((threshold) => {
      const { shown, there, asked, precision, recall, f1, falseBidRate } = measureAt(all, threshold);
      const name = `${threshold.toFixed(2)}${threshold === JUDGED_THRESHOLD ? ' (now)' : ''}`;
      return [name, ...[shown, there, asked, precision, recall, f1, falseBidRate].map(percent)];
    });
    console.log(`${path}\n${table(HEAD, lines).join('\n')}`);
    for (const [what, groupOf] of Object.entries(GROUPS)) {
      const { least, most, f1, falseBidRate } = leaveGroupsOut(all, groupOf, THRESHOLDS, MOST_FALSE);
      console.log(
        `each ${what} left out: ${least} to ${most} chosen; F1 ${percent(f1)} %, false bids ${percent(falseBidRate)} %`,
      );
    }
  }
}

const percent = (share: number): string => (100 * share).toFixed(1);

await shortlist(process.argv.slice(2)).catch((error: Error) => {
  console.error(error instanceof Unusable ? error.message : error);
  process.exitCode = error instanceof Unusable ? 2 : 1;
});
