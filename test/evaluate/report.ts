import { type Answered, AT_ONCE } from './measure.ts';
import { percentile } from './percentile.ts';
import { type Figures, figures } from './score.ts';

/** What the rows came to. */
export interface Totals {
  campaigns: number;
  refusedCampaigns: number;
  badRows: number;
  errors: number;
  /** Requests that the rate limit refused and that were sent again. */
  limited: number;
}

/** The whole report as text. */
export function report(answered: readonly Answered[], totals: Totals): string {
  return [summary(figures(answered), totals), foreign(answered), latency(answered)].flat().join('\n');
}

function summary(f: Figures, totals: Totals): string[] {
  return [
    line('campaigns', `${totals.campaigns}${note(totals.refusedCampaigns, 'refused')}`),
    line('rows answered', `${f.rows}: ${f.positives} want an ad, ${f.negatives} want none, ${f.optionals} optional`),
    line('bad rows', totals.badRows),
    line('errors', totals.errors),
    line('bids', f.bids),
    line('no-bids', f.noBids),
    line('precision', percent(f.precision)),
    line('recall', percent(f.recall)),
    line('F1', percent(f.f1)),
    line('false bids', `${f.falseBids} of ${f.negatives}, ${percent(f.falseBidRate)}`),
    ...(totals.limited > 0 ? [line('rate limited', `${totals.limited} requests, sent again`)] : []),
  ];
}

/** Campaigns that the service had before: their bids are wrong, and whoever reads the figures should know. */
function foreign(answered: readonly Answered[]): string[] {
  const ids = answered.flatMap(({ serviceId, campaign }) => (serviceId !== null && !campaign ? [serviceId] : []));
  if (ids.length === 0) return [];
  return [
    line('foreign bids', `${ids.length} wrong bids by campaigns not of the folder: ${[...new Set(ids)].join(', ')}`),
  ];
}

function latency(answered: readonly Answered[]): string {
  const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
  const parts = [`p50 ${at(0.5)}`, `p90 ${at(0.9)}`, `p99 ${at(0.99)}`, `max ${at(1)}`];
  return line('latency ms', `${parts.join('  ')}  (${AT_ONCE} at once)`);

  function at(share: number): string {
    return percentile(times, share).toFixed(1);
  }
}

const line = (name: string, value: string | number): string => `${name.padEnd(15)}${value}`;
const note = (count: number, what: string): string => (count > 0 ? ` (${count} more ${what})` : '');
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
