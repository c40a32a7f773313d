import type { Summary } from './bodies.ts';
import { getState, type State } from './state.ts';

const PER_PAGE = 50;

/** In the order of the filter. */
export const STATES = [
  'active',
  'not_serving',
  'scheduled',
  'paused',
  'draft',
  'completed',
  'cancelled',
] as const satisfies readonly State[];

const SORTS = {
  name: ({ name }: Summary) => name.toLocaleLowerCase(),
  status: (campaign: Summary) => STATES.indexOf(getState(campaign)),
  // During a rollout, the previous version responds without `spentToday`.
  today: ({ spentToday = 0 }: Summary) => spentToday,
  spend: ({ spentBudget }: Summary) => spentBudget,
  impressions: ({ performance }: Summary) => performance.impressions,
  clicks: ({ performance }: Summary) => performance.clicks,
  ctr: ({ performance }: Summary) => performance.ctr,
  conversions: ({ performance }: Summary) => performance.conversions,
  // During a rollout, the previous version responds without `conversionValue`.
  value: ({ performance: { conversionValue = 0 } }: Summary) => conversionValue,
  created: ({ createdAt }: Summary) => createdAt,
} as const;

export type Sort = keyof typeof SORTS;

/** The search, filter, order, and page of the list, stored in the page's URL. */
export interface ListView {
  q: string;
  status: State | 'all';
  sort: Sort;
  isDescending: boolean;
  page: number;
}

const isState = (text: string | undefined): text is State => STATES.some((state) => state === text);
export const isSort = (text: string | undefined): text is Sort => text !== undefined && Object.hasOwn(SORTS, text);

export function parseView({ q = '', status, sort = '', page }: Record<string, string>): ListView {
  const column = sort.replace(/^-/, '');
  return {
    q,
    status: isState(status) ? status : 'all',
    // Newest first by default.
    sort: isSort(column) ? column : 'created',
    isDescending: isSort(column) ? sort.startsWith('-') : true,
    page: Math.max(1, Math.trunc(Number(page)) || 1),
  };
}

export function toAddress({ q, status, sort, isDescending, page }: ListView): string {
  const order = `${isDescending ? '-' : ''}${sort}`;
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(status !== 'all' && { status }),
    ...(order !== '-created' && { sort: order }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === '' ? '/campaigns' : `/campaigns?${query}`;
}

/** Returns the campaigns that match, in their order. */
export function findMatching(campaigns: readonly Summary[], { q, status, sort, isDescending }: Omit<ListView, 'page'>) {
  const wanted = q.trim().toLocaleLowerCase();
  const keyOf = SORTS[sort];
  return campaigns
    .filter((campaign) => status === 'all' || getState(campaign) === status)
    .filter(({ name, id }) => name.toLocaleLowerCase().includes(wanted) || id === q.trim())
    .map((campaign) => ({ campaign, key: keyOf(campaign) }))
    .sort((a, b) => compare(a.key, b.key) * (isDescending ? -1 : 1))
    .map(({ campaign }) => campaign);
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the campaigns on a page, or on the last page if there are fewer. */
export function selectPage(matching: readonly Summary[], wanted: number) {
  const pages = Math.max(1, Math.ceil(matching.length / PER_PAGE));
  const page = Math.min(wanted, pages);
  const from = (page - 1) * PER_PAGE;
  return { page, pages, from, shown: matching.slice(from, from + PER_PAGE) };
}

/** The sums of the campaigns. Without canceled ones, whose budgets will not be spent, unless the filter asks for them. */
export function getTotals(matching: readonly Summary[], status: ListView['status']) {
  const counted = status === 'cancelled' ? matching : matching.filter((campaign) => campaign.status !== 'cancelled');
  const sum = (of: (campaign: Summary) => number) => counted.reduce((total, campaign) => total + of(campaign), 0);
  const [impressions, clicks] = [sum(SORTS.impressions), sum(SORTS.clicks)];
  const [conversions, conversionValue, spend] = [sum(SORTS.conversions), sum(SORTS.value), sum(SORTS.spend)];
  return {
    campaigns: counted.length,
    isWithoutCanceled: counted.length < matching.length,
    budget: sum(({ budget }) => budget),
    spend,
    today: sum(SORTS.today),
    performance: {
      impressions,
      clicks,
      conversions,
      conversionValue,
      costPerConversion: conversions === 0 ? null : spend / conversions,
      returnOnSpend: spend === 0 ? null : conversionValue / spend,
      ctr: impressions === 0 ? 0 : clicks / impressions,
    },
  };
}
