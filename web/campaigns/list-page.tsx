import { useLocation } from 'preact-iso';
import { counted, formatClickRate, formatCount, formatUsd } from '../format.ts';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { nameState } from '../parts/status.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { useCampaigns } from './data.ts';
import { isSort, type ListView, parseView, type Sort, STATES, select, toAddress } from './listing.ts';

const COLUMNS: readonly [sort: Sort, name: string][] = [
  ['name', 'Campaign'],
  ['status', 'Status'],
  ['spend', 'Spent of budget'],
  ['impressions', 'Impressions'],
  ['clicks', 'Clicks'],
  ['ctr', 'CTR'],
];

/** Names first, then numbers, which sort in descending order first. */
const isMostFirst = (sort: Sort): boolean => sort !== 'name' && sort !== 'status';

/** The visitor's campaigns, with search, sorting, and totals. */
export function CampaignsPage() {
  const { value: campaigns, problem, again } = useCampaigns();
  return (
    <Page
      title="Campaigns"
      actions={
        campaigns?.length !== 0 && (
          <a class="button primary" href="/campaigns/new">
            New campaign
          </a>
        )
      }
    >
      <Problem text={problem} />
      {!campaigns && <Skeleton of="campaigns" as="rows" lines={6} />}
      {campaigns?.length === 0 && <FirstOne />}
      {campaigns && campaigns.length > 0 && <List campaigns={campaigns} again={again} />}
    </Page>
  );
}

const FirstOne = () => (
  <section class="card empty" aria-label="Start">
    <h2>Show your first ad</h2>
    <p>
      Describe what you offer and in which conversations, set a budget, and see whom you would reach. You pay for an ad
      when it is shown, never more than your budget.
    </p>
    <a class="button primary" href="/campaigns/new">
      Start a campaign
    </a>
  </section>
);

interface ListProps {
  campaigns: NonNullable<ReturnType<typeof useCampaigns>['value']>;
  again(): Promise<void>;
}

function List({ campaigns, again }: ListProps) {
  const { query, route } = useLocation();
  const view = parseView(query);
  const { matching, shown, from, pages, totals } = select(campaigns, view);
  const show = (change: Partial<ListView>) => route(toAddress({ ...view, page: 1, ...change }), true);
  return (
    <>
      <Tools view={view} onChange={show} />
      <section class="card flush" aria-label="Campaigns">
        <table class="list">
          <Head view={view} onChange={show} />
          <tbody>
            {shown.map((campaign) => (
              <CampaignRow key={campaign.id} campaign={campaign} onDone={again} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {counted(matching.length, 'campaign')}
              </th>
              <td class="spent" data-label="Spent of budget">
                {formatUsd(totals.spend)} <small>of {formatUsd(totals.budget)}</small>
              </td>
              <td class="number" data-label="Impressions">
                {formatCount(totals.impressions)}
              </td>
              <td class="number" data-label="Clicks">
                {formatCount(totals.clicks)}
              </td>
              <td class="number" data-label="CTR">
                {formatClickRate(totals)}
              </td>
              <td />
            </tr>
          </tfoot>
        </table>
        {matching.length === 0 && <p class="notice">No campaigns match. Change the search, or show all.</p>}
      </section>
      <Pager
        page={Math.min(view.page, pages)}
        pages={pages}
        says={`${formatCount(from + 1)} to ${formatCount(from + shown.length)} of ${formatCount(matching.length)}`}
        onPage={(page) => show({ page })}
      />
    </>
  );
}

interface ViewProps {
  view: ListView;
  onChange(change: Partial<ListView>): void;
}

const Tools = ({ view, onChange }: ViewProps) => (
  <search class="tools">
    <input
      type="search"
      dir="auto"
      aria-label="Search campaigns"
      placeholder="Search by name"
      value={view.q}
      onInput={({ currentTarget }) => onChange({ q: currentTarget.value })}
    />
    <fieldset class="choice" aria-label="Status">
      {(['all', ...STATES] as const).map((status) => (
        <button key={status} type="button" aria-pressed={view.status === status} onClick={() => onChange({ status })}>
          {status === 'all' ? 'All' : nameState(status)}
        </button>
      ))}
    </fieldset>
    <SortBy view={view} onChange={onChange} />
  </search>
);

/** Selects the sort order on screens that are too narrow for the table's header. */
const SortBy = ({ view, onChange }: ViewProps) => (
  <select
    class="sort-by"
    aria-label="Sort by"
    value={view.sort}
    onChange={({ currentTarget: { value } }) =>
      isSort(value) && onChange({ sort: value, isDescending: isMostFirst(value) })
    }
  >
    <option value="created">Newest first</option>
    {COLUMNS.map(([sort, name]) => (
      <option key={sort} value={sort}>
        By {name.toLowerCase()}
      </option>
    ))}
  </select>
);

const Head = ({ view, onChange }: ViewProps) => (
  <thead>
    <tr>
      {COLUMNS.map(([sort, name], column) => {
        const isSorted = view.sort === sort;
        const order = isSorted ? (view.isDescending ? 'descending' : 'ascending') : 'none';
        return (
          <th key={sort} scope="col" class={column > 2 ? 'number' : ''} aria-sort={order}>
            <button
              type="button"
              class="sort"
              onClick={() => onChange({ sort, isDescending: isSorted ? !view.isDescending : isMostFirst(sort) })}
            >
              {name} <span aria-hidden="true">{isSorted ? (view.isDescending ? '↓' : '↑') : ''}</span>
            </button>
          </th>
        );
      })}
      <td />
    </tr>
  </thead>
);
