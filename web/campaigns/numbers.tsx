import { formatClickRate, formatCount, formatTimes, formatUsd, orNone } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { Summary } from './bodies.ts';

/** The columns that have the same names in the header, on a phone, and in the choice of the order. */
export const COLUMNS = {
  name: 'Campaign',
  status: 'Status',
  today: 'Today (UTC)',
  spend: 'Spend / budget',
  impressions: 'Impressions',
  clicks: 'Clicks',
  ctr: 'CTR',
  conversions: 'Conversions',
  value: 'Conversion value',
} as const;

interface CountProps {
  of: keyof typeof COLUMNS;
  text: string;
  /** What follows from the number. */
  note?: string | null;
}

const Count = ({ of: column, text, note }: CountProps) => (
  <td class={`number ${column}`} data-label={COLUMNS[column]}>
    {text}
    {note && <small class="below">{note}</small>}
  </td>
);

interface NumbersProps {
  /** Of the campaign. The total has no bar. */
  name?: string;
  /** During a rollout, the previous version responds without it. */
  today: number | null | undefined;
  spend: number;
  budget: number;
  performance: Pick<
    Summary['performance'],
    'impressions' | 'clicks' | 'ctr' | 'conversions' | 'conversionValue' | 'costPerConversion' | 'returnOnSpend'
  >;
}

/** The cells with numbers of a campaign or of the total. */
export const Numbers = ({ name, today = null, spend, budget, performance }: NumbersProps) => (
  <>
    <td class="spent" data-label={COLUMNS.spend}>
      <span>
        {formatUsd(spend)} <small>/ {formatUsd(budget)}</small>
      </span>
      {name && <Bar label={`Spend of ${name}`} part={spend} whole={budget} />}
    </td>
    <Count of="today" text={orNone(formatUsd)(today)} />
    <Count of="impressions" text={formatCount(performance.impressions)} />
    <Count of="clicks" text={formatCount(performance.clicks)} />
    <Count of="ctr" text={formatClickRate(performance)} />
    <Count
      of="conversions"
      text={formatCount(performance.conversions)}
      note={performance.costPerConversion ? `${formatUsd(performance.costPerConversion)} each` : null}
    />
    <Count
      of="value"
      text={orNone(formatUsd)(performance.conversionValue || null)}
      note={performance.returnOnSpend ? `${formatTimes(performance.returnOnSpend)} spend` : null}
    />
  </>
);
