import type { Summary } from './bodies.ts';
import { getState, type State } from './state.ts';

const PER_PAGE = 50;

const SORTS = {
  name: ({ name }: Summary) => name.toLocaleLowerCase(),
  status: (campaign: Summary) => getState(campaign),
  budget: ({ budget }: Summary) => budget,
  spend: ({ spentBudget }: Summary) => spentBudget,
  impressions: ({ performance }: Summary) => performance.impressions,
  clicks: ({ performance }: Summary) => performance.clicks,
  ctr: ({ performance }: Summary) => performance.ctr,
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

/** Returns the campaigns to show, and the totals of all that match. */
export function select(campaigns: readonly Summary[], { q, status, sort, isDescending, page }: ListView) {
  const wanted = q.trim().toLocaleLowerCase();
  const matching = campaigns
    .filter((campaign) => status === 'all' || getState(campaign) === status)
    .filter(({ name, id }) => name.toLocaleLowerCase().includes(wanted) || id === q.trim())
    .sort((a, b) => compare(SORTS[sort](a), SORTS[sort](b)) * (isDescending ? -1 : 1));
  const pages = Math.max(1, Math.ceil(matching.length / PER_PAGE));
  const from = (Math.min(page, pages) - 1) * PER_PAGE;
  return { matching, shown: matching.slice(from, from + PER_PAGE), from, pages, totals: getTotals(matching) };
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

function getTotals(campaigns: readonly Summary[]) {
  const sum = (of: (campaign: Summary) => number) => campaigns.reduce((total, campaign) => total + of(campaign), 0);
  const [impressions, clicks] = [sum(SORTS.impressions), sum(SORTS.clicks)];
  return {
    budget: sum(SORTS.budget),
    spend: sum(SORTS.spend),
    impressions,
    clicks,
    ctr: impressions === 0 ? 0 : clicks / impressions,
  };
}
