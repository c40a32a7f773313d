import { AdsError } from '../packages/client/src/index.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether nothing that the visitor does would help: the banner at the top says so for all of the page. */
export const isTrouble = (error: unknown): boolean =>
  !(error instanceof AdsError) || error.status === 0 || error.status >= 500;

/** What went wrong, for people. @param changes whether something was to be changed, which an answer that was lost leaves open */
export function inWords(error: unknown, changes = false): string {
  if (isTrouble(error) || !(error instanceof AdsError))
    return changes
      ? 'The service did not answer. It may have been done all the same: look before you try again.'
      : 'The service did not answer. Try again in a moment.';
  const { status, message, details } = error;
  if (status === 401) return 'You are not signed in any more.';
  if (status === 429) return 'Too many requests in a short time. Wait a moment and try again.';
  const fields = details.filter(({ path, message: fault }) => path !== '' && fault !== message);
  return [message, ...fields.map(({ message: fault }) => fault)].map(faultInWords).join('. ');
}

/** Fields of the API as the page calls them. */
const CALLED: readonly [field: RegExp, name: string][] = [
  // Who reads it here has a button for it.
  [/: (set status to active|set a later one, and status to active)\b/g, ''],
  [/\bThe webhook is disabled; set its status to active first\b/g, 'The webhook is switched off: revive it first'],
  [/\bThe budget is not the expected one\b/g, 'The budget was changed meanwhile'],
  [/\bset targetAudience\.languages\b/g, 'choose its languages'],
  [/\braise budget\b/g, 'add to it'],
  [/: serving names it\b/g, ''],
  [/; field names it\b/g, ''],
  [/\bits frequencyCap allows\b/g, 'it may be shown'],
  [/\bthe key's adsPerConversation\b/g, 'the key allows'],
  [/\bthe key's turnSpacing\b/g, 'the key wants them'],
  [/\bIts startDate\b/g, 'Its first day'],
  [/\bits excludedKeywords\b/g, 'the words never beside it'],
  [/ of the form <min>-<max>,/g, ' two ages'],
  [/\bhave 0 <= min <= max <= 120/g, 'be two ages from 0 to 120, the lower one first'],
  [/\bcountryCode\b/g, 'country'],
  [/\blandingUrl\b/g, 'landing page'],
  [/\bimageUrl\b/g, 'image'],
  [/\bcallToAction\b/g, 'call to action'],
  [/\bsponsoredBy\b/g, 'advertiser'],
  [/\bexcludedKeywords\b/g, 'words never beside'],
  [/\bageRange\b/g, 'ages'],
  [
    /\btarget_cpa without targetCpa bids like auto\b/g,
    'until you say what a conversion is worth, it bids automatically',
  ],
  [/\bcost at maxCpb\b/g, 'cost at the highest bid'],
  [/\bmaxCpb\b/g, 'highest bid'],
  [/\bdailyBudget\b/g, 'budget of a day'],
  [/\btargetCpa\b/g, 'what a conversion is worth'],
  [/\bstartDate\b/g, 'first day'],
  [/\bendDate\b/g, 'last day'],
  [/\bbidFloor\b/g, 'lowest bid'],
  [/\bblockedDomains\b/g, 'blocked domains'],
  [/\bblockedCategories\b/g, 'blocked categories'],
  [/^url\b/g, 'address'],
];

/** What the service says, with fields as the page calls them. */
export const fieldsInWords = (message: string): string =>
  CALLED.reduce((text, [field, name]) => text.replaceAll(field, name), message);

/** What the service says is wrong with a field, which its form has by another name. */
export const faultInWords = (message: string): string =>
  capital(
    fieldsInWords(message).replace(
      /\b(from 0 to )(\d+)/g,
      (_, from: string, most: string) => from + formatCount(Number(most)),
    ),
  );

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
export const label = (code: string): string => capital(code.replaceAll('_', ' '));
