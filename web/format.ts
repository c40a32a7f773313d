const LOCALE = 'en-US';
const whole = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });

export const formatCount = (count: number): string => whole.format(count);
/** For axis labels: 1.2M. */
export const formatShort = (count: number): string => short.format(count);
export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${formatCount(count)} ${count === 1 ? thing : things}`;
export const formatPercent = (part: number, decimals = 1): string => `${(part * 100).toFixed(decimals)}%`;
/** For the labels of an axis with this step, which all have the same number of decimals. */
export const formatShortPercent = (part: number, step: number): string =>
  `${(part * 100).toFixed(countDecimals(step * 100))}%`;
/** Decimals of a step such as 0.05. */
const countDecimals = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
/** Formats a ratio that may be null, such as the CTR without impressions. */
export const orNone =
  (format: (value: number) => string) =>
  (value: number | null): string =>
    value === null ? '–' : format(value);
export const formatRate = orNone(formatPercent);
/** A ratio such as the return on spend: 17.97×. */
export const formatTimes = (ratio: number): string => `${ratio.toFixed(2)}×`;
/** For the labels of an axis with this step. */
export const formatShortTimes = (ratio: number, step: number): string => `${ratio.toFixed(countDecimals(step))}×`;
/** The service reports a rate of 0 if there are no impressions. */
export const formatClickRate = ({ impressions, ctr }: { impressions: number; ctr: number }): string =>
  formatRate(impressions === 0 ? null : ctr);

/** Amounts under a dollar get four decimals. */
export const formatUsd = (amount: number, decimals = amount !== 0 && Math.abs(amount) < 1 ? 4 : 2): string =>
  getUsdFormat(decimals).format(amount);

/** Cached by number of decimals: creating a format takes fifty times as long as using it. */
const USD = new Map<number, Intl.NumberFormat>();
function getUsdFormat(decimals: number): Intl.NumberFormat {
  const minimumFractionDigits = Math.min(2, decimals);
  const digits = { minimumFractionDigits, maximumFractionDigits: decimals };
  const format = USD.get(decimals) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', ...digits });
  USD.set(decimals, format);
  return format;
}

/** For the labels of an axis with this step: $1.2M; cents, or more decimals if the step is smaller. */
export const formatShortUsd = (amount: number, step: number): string =>
  step >= 1 ? `$${formatShort(amount)}` : `$${amount.toFixed(Math.max(2, countDecimals(step)))}`;

/** Converts an API code to a label: "lower_rank" becomes "Lower rank". */
export function label(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
