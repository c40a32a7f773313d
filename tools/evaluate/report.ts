import { percentile } from '../statistics.ts';
import { table } from '../text-table.ts';
import { bootstrap, type Interval } from './bootstrap.ts';
import { calibrate } from './calibration.ts';
import type { EvaluatedRow } from './measure.ts';
import { computeFigures, type ScoreFigures, scoreRow } from './score.ts';
import { findWorst, lastMessages } from './worst.ts';

/** Totals of a run for its report. */
interface ReportTotals {
  campaigns: number;
  refusedCampaigns: number;
  badRows: number;
  errors: number;
  /** Maximum number of concurrent requests. */
  concurrency: number;
  /** Requests that were retried after the rate limit rejected them. */
  limited: number;
}

/** Formats the report. @param worstRows number of wrong bids and of missed rows to list */
export function report(answered: readonly EvaluatedRow[], totals: ReportTotals, worstRows: number): string {
  const sections = [
    [...summary(answered, totals), ...foreignBids(answered), latency(answered, totals)],
    groups(answered, 'slice'),
    groups(answered, 'source'),
    calibration(answered),
    ...(worstRows > 0 ? errors(answered, worstRows) : []),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

function summary(answered: readonly EvaluatedRow[], totals: ReportTotals): string[] {
  const f = computeFigures(answered);
  const within = bootstrap(answered, (resample) => {
    const { f1, falseBidRate } = computeFigures(resample);
    return { f1, falseBidRate };
  });
  const refused = totals.refusedCampaigns > 0 ? ` (${totals.refusedCampaigns} more refused)` : '';
  return [
    line('campaigns', `${totals.campaigns}${refused}`),
    line('rows answered', `${f.rows}: ${f.positives} want an ad, ${f.negatives} want none, ${f.optionals} optional`),
    line('bad rows', totals.badRows),
    line('errors', totals.errors),
    line('bids', f.bids),
    line('no-bids', f.noBids),
    line('precision', `${percent(f.precision)} %`),
    line('recall', `${percent(f.recall)} %`),
    line('F1', `${percent(f.f1)} %${interval(within.f1)}`),
    line(
      'false bids',
      `${f.falseBids} of ${f.negatives}, ${percent(f.falseBidRate)} %${interval(within.falseBidRate)}`,
    ),
    ...(totals.limited > 0 ? [line('rate limited', `${totals.limited} requests, sent again`)] : []),
  ];
}

/** Notes that bids of campaigns from before the run count as wrong. */
function foreignBids(answered: readonly EvaluatedRow[]): string[] {
  const ids = answered.flatMap(({ serviceId, campaign }) => (serviceId !== null && !campaign ? [serviceId] : []));
  if (ids.length === 0) return [];
  const by = [...new Set(ids)].join(', ');
  return [line('foreign bids', `${ids.length} wrong bids by campaigns not of the folder: ${by}`)];
}

function latency(answered: readonly EvaluatedRow[], { concurrency }: ReportTotals): string {
  const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => percentile(times, share).toFixed(1);
  return line(
    'latency ms',
    `p50 ${at(0.5)}  p90 ${at(0.9)}  p99 ${at(0.99)}  max ${at(1)}  (at most ${concurrency} at once)`,
  );
}

/** The figures by slice or source, in percent. */
function groups(answered: readonly EvaluatedRow[], by: 'slice' | 'source'): string[] {
  const grouped = Map.groupBy(answered, ({ row }) => row[by]);
  const rows = [...grouped]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, some]) => [name, ...cells(computeFigures(some))]);
  return table([by, 'rows', 'want', 'none', 'bids', 'precision', 'recall', 'F1', 'false bids'], rows);
}

function cells(f: ScoreFigures): string[] {
  const where = (count: number, share: number) => (count > 0 ? percent(share) : '-');
  return [
    String(f.rows),
    String(f.positives),
    String(f.negatives),
    String(f.bids),
    // Precision is meaningless if no ad can be correct.
    where(f.bids * (f.positives + f.optionals), f.precision),
    where(f.positives, f.recall),
    where(f.positives, f.f1),
    where(f.negatives, f.falseBidRate),
  ];
}

/** Calibration over all rows with a candidate: uses the winner, or else the most relevant candidate. */
function calibration(answered: readonly EvaluatedRow[]): string[] {
  const { bins, error, weighted } = calibrate(
    answered.flatMap(({ row, score, best, bestCampaign }) =>
      best ? [{ score, right: scoreRow(row, bestCampaign?.labels ?? []).outcome === 'right' }] : [],
    ),
  );
  const rows = bins.map(({ from, to, count: claims, predicted: claimed, observed }) => [
    `${from.toFixed(1)} to ${to.toFixed(1)}`,
    String(claims),
    ...(claims > 0
      ? [claimed, observed, Math.abs(claimed - observed)].map((share) => share.toFixed(3))
      : ['-', '-', '-']),
  ]);
  return [
    ...table(['relevance', 'rows', 'claimed', 'right', 'gap'], rows),
    line(
      'calibration',
      `mean gap ${error.toFixed(3)}; each bin weighing as much as it has rows ${weighted.toFixed(3)}`,
    ),
  ];
}

function errors(answered: readonly EvaluatedRow[], count: number): string[][] {
  const { wrong, missed } = findWorst(answered, count);
  return [
    ['Wrong bids, most relevant first', ...wrong.flatMap((row) => describe(row, `bid ${bidder(row)}`))],
    ['Missed rows, most relevant first', ...missed.flatMap((row) => describe(row, `best ${best(row)}`))],
  ];
}

function describe(answered: EvaluatedRow, got: string): string[] {
  const { id, source, slice, gold } = answered.row;
  return [
    `  ${answered.score.toFixed(3)}  ${id} [${source}, ${slice}] wants ${gold.join(' or ') || 'none'}; ${got}`,
    ...lastMessages(answered).map((message) => `         ${message}`),
  ];
}

const bidder = ({ campaign, serviceId }: EvaluatedRow): string =>
  campaign ? `${campaign.id} ${campaign.body.name} (${campaign.labels.join(', ')})` : `${serviceId}, not of the folder`;

const best = ({ best, bestCampaign }: EvaluatedRow): string =>
  best
    ? `${bestCampaign?.id ?? best.campaignId} (${bestCampaign?.labels.join(', ') ?? 'not of the folder'}): ${best.outcome}`
    : 'candidate: none';

const line = (name: string, value: string | number): string => `${name.padEnd(15)}${value}`;
const percent = (share: number): string => (100 * share).toFixed(1);
const interval = ({ low, high }: Interval): string => `  (95 %: ${percent(low)} to ${percent(high)})`;
