import type { ComponentChildren } from 'preact';
import type { Result } from '../../packages/client/src/index.ts';
import { formatCount, formatRate, formatUsd } from '../format.ts';
import { Value } from '../parts/skeleton.tsx';

export type HomeBody = Result<'GET /api/v1/home'>;
type Periods<F> = Record<'today' | 'last30Days' | 'previous30Days', F>;
type CampaignFigures = HomeBody['campaigns']['today'];
type KeyFigures = HomeBody['keys']['today'];

/** A figure of each period. A rate is null if there is nothing to divide by; its change in percent would be taken for points. */
interface Figure<F> {
  name: string;
  fullName?: string;
  of(figures: F): number | null;
  format(value: number): string;
  isRate?: true;
}

const clickRate = ({ impressions, clicks }: { impressions: number; clicks: number }) =>
  impressions === 0 ? null : clicks / impressions;
const ctr = { name: 'CTR', fullName: 'Click-through rate', of: clickRate, format: formatRate, isRate: true } as const;

const CAMPAIGN_FIGURES: readonly Figure<CampaignFigures>[] = [
  { name: 'Spend', of: ({ spend }) => spend, format: formatUsd },
  { name: 'Impressions', of: ({ impressions }) => impressions, format: formatCount },
  { name: 'Clicks', of: ({ clicks }) => clicks, format: formatCount },
  ctr,
  { name: 'Conversions', of: ({ conversions }) => conversions, format: formatCount },
  { name: 'Conversion value', of: ({ conversionValue }) => conversionValue, format: formatUsd },
];

const KEY_FIGURES: readonly Figure<KeyFigures>[] = [
  { name: 'Earnings', of: ({ earnings }) => earnings, format: formatUsd },
  { name: 'Impressions', of: ({ impressions }) => impressions, format: formatCount },
  { name: 'Clicks', of: ({ clicks }) => clicks, format: formatCount },
  ctr,
  { name: 'Requests', of: ({ requests }) => requests, format: formatCount },
  { name: 'Fill rate', of: ({ fillRate }) => fillRate, format: formatRate, isRate: true },
];

/** A smaller change is none to the eye. */
const VISIBLE = 0.005;

/** From here on, a multiple says more than a percentage. */
const MANY_TIMES = 10;

/** How the figure compares with that of the days before. A change from nothing has no percentage. */
function describeChange<F>({ of, format, isRate }: Figure<F>, { last30Days, previous30Days }: Periods<F>): string {
  const [now, before] = [of(last30Days), of(previous30Days)];
  if (!before) return 'None before';
  const from = `from ${format(before)}`;
  if (now === null) return `Was ${format(before)}`;
  if (format(now) === format(before)) return 'Same as before';
  if (isRate) return `${now > before ? 'Up' : 'Down'} ${from}`;
  if (now >= MANY_TIMES * before) return `${formatCount(Math.round(now / before))}× ${from}`;
  const change = now / before - 1;
  if (Math.abs(change) < VISIBLE) return `About the same: ${from}`;
  return `${change > 0 ? '+' : '−'}${formatCount(Math.round(Math.abs(change) * 100))}% ${from}`;
}

interface OverviewProps<F> {
  title: string;
  figures: readonly Figure<F>[];
  /** Null while they load. */
  periods: Periods<F> | null;
  problem: string | null;
  children: ComponentChildren;
}

const Overview = <F,>({ title, figures, periods, problem, children }: OverviewProps<F>) => (
  <section class="card" aria-label={title}>
    <div class="card-head">
      <h2>
        {title} <small>Last 30 days, compared with the 30 days before</small>
      </h2>
      {children}
    </div>
    <dl class="overview" aria-busy={!periods && problem === null}>
      {figures.map((figure) => (
        <div key={figure.name} class="tile">
          <dt title={figure.fullName}>{figure.name}</dt>
          <dd>
            <Value text={periods && show(figure, periods.last30Days)} problem={problem} />
          </dd>
          <dd class="note">
            <Value text={periods && describeChange(figure, periods)} problem={problem} />
          </dd>
          <dd class="note">
            <Value text={periods && `Today (UTC) ${show(figure, periods.today)}`} problem={problem} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

function show<F>({ of, format }: Figure<F>, figures: F): string {
  const value = of(figures);
  return value === null ? '–' : format(value);
}

interface HomeFiguresProps {
  /** Null while it loads. */
  home: HomeBody | null;
  problem: string | null;
}

/** All campaigns together. */
export const CampaignsOverview = ({ home, problem }: HomeFiguresProps) => (
  <Overview title="Campaigns" figures={CAMPAIGN_FIGURES} periods={home?.campaigns ?? null} problem={problem}>
    <a href="/statements">Statement</a>
    <a href="/campaigns">All campaigns</a>
  </Overview>
);

/** All keys together. */
export const KeysOverview = ({ home, problem }: HomeFiguresProps) => (
  <Overview title="Publisher" figures={KEY_FIGURES} periods={home?.keys ?? null} problem={problem}>
    <a href="/statements?kind=earnings">Statement</a>
    <a href="/publisher">All keys</a>
  </Overview>
);
