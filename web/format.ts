const LOCALE = 'en-US';
const whole = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });

export const formatCount = (count: number): string => whole.format(count);
/** For axes: 1.2M. */
export const formatShort = (count: number): string => short.format(count);
export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${formatCount(count)} ${count === 1 ? thing : things}`;
export const formatPercent = (part: number, decimals = 1): string => `${(part * 100).toFixed(decimals)} %`;
/** As few decimals as tell a step of an axis from the next. */
export const formatShortPercent = (part: number): string => `${Number((part * 100).toPrecision(6))} %`;
/** A quotient that there may be none of: of no impressions there is no click rate. */
export const orNone =
  (format: (value: number) => string) =>
  (value: number | null): string =>
    value === null ? '–' : format(value);
export const formatRate = orNone(formatPercent);
/** Of counts as the service sums them up, whose rate is 0 where there is none. */
export const formatClickRate = ({ impressions, ctr }: { impressions: number; ctr: number }): string =>
  formatRate(impressions === 0 ? null : ctr);

/** Dollars with their thousands grouped; amounts under a dollar as exact as they are, to a hundredth of a cent. */
export const formatUsd = (amount: number, decimals = amount !== 0 && Math.abs(amount) < 1 ? 4 : 2): string =>
  usdOf(decimals).format(amount);

/** Formats by their decimals: making one takes fifty times as long as using it. */
const USD = new Map<number, Intl.NumberFormat>();
function usdOf(decimals: number): Intl.NumberFormat {
  const minimumFractionDigits = Math.min(2, decimals);
  const digits = { minimumFractionDigits, maximumFractionDigits: decimals };
  const format = USD.get(decimals) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', ...digits });
  USD.set(decimals, format);
  return format;
}

/** For axes: $1.2M, and $0.0042 where amounts are small. */
export const formatShortUsd = (amount: number): string =>
  Math.abs(amount) >= 1_000 ? `$${formatShort(amount)}` : `$${Number(amount.toPrecision(3))}`;

/** A code of the API as a label: "lower_rank" is "Lower rank". */
export function label(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
