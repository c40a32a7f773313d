import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { counted, formatCount } from '../format.ts';
import { lazyPart } from '../parts/deferred.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { nameState } from '../parts/status.tsx';
import type { Summary } from './bodies.ts';
import { CampaignRow } from './campaign-row.tsx';
import { useCampaigns, useSaved } from './list-data.ts';
import {
  findMatching,
  getTotals,
  isSort,
  type ListView,
  parseView,
  type Sort,
  STATES,
  selectPage,
  toAddress,
} from './listing.ts';
import { COLUMNS, Numbers } from './numbers.tsx';
import { useSelection } from './selection.ts';

const BulkBar = lazyPart(() => import('./bulk-bar.tsx'), null);

const SORTABLE = ['name', 'status', 'spend', 'today', 'impressions', 'clicks', 'ctr', 'conversions', 'value'] as const;

/** Names first, then numbers, which sort in descending order first. */
const isMostFirst = (sort: Sort): boolean => sort !== 'name' && sort !== 'status';

/** The visitor's campaigns, with search, sorting, and totals. */
export default function CampaignsPage() {
  const { value: campaigns, problem } = useCampaigns();
  return (
    <Page
      title="Campaigns"
      actions={
        campaigns?.length !== 0 && (
          <>
            <a class="button" href="/campaigns/report">
              Report
            </a>
            <a class="button primary" href="/campaigns/new">
              New campaign
            </a>
          </>
        )
      }
    >
      <Problem text={problem} />
      {campaigns?.length === 0 ? <FirstOne /> : <List loaded={campaigns} isLoading={!campaigns && !problem} />}
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

const NONE: readonly Summary[] = [];

interface ListProps {
  /** Null until they are loaded: the frame is there, and what is typed in it stays. */
  loaded: readonly Summary[] | null;
  isLoading: boolean;
}

function List({ loaded, isLoading }: ListProps) {
  const { query, route } = useLocation();
  const view = parseView(query);
  const { q, status, sort, isDescending } = view;
  const { campaigns, onSaved } = useSaved(loaded ?? NONE);
  const matching = useMemo(
    () => findMatching(campaigns, { q, status, sort, isDescending }),
    [campaigns, q, status, sort, isDescending],
  );
  const { page, pages, from, shown } = selectPage(matching, view.page);
  const { selected, select, onPick } = useSelection(shown);
  const chosen = selected.size === 0 ? [] : matching.filter(({ id }) => selected.has(id));
  // Once loaded, the bar stays: a change of campaigns goes on while none is selected.
  const [isBarWanted, wantBar] = useState(false);
  if (chosen.length > 0 && !isBarWanted) wantBar(true);
  const show = (change: Partial<ListView>) => route(toAddress({ ...view, page: 1, ...change }), true);
  const pickShown = (isOn: boolean) =>
    select(
      shown.map(({ id }) => id),
      isOn,
    );
  const pickAll = { shown, selected, onPick: pickShown };
  return (
    <>
      <Tools view={view} onChange={show}>
        <PickAll {...pickAll} isNamed />
      </Tools>
      <section class="card flush" aria-label="Campaigns">
        <table class="list campaigns">
          <Head view={view} onChange={show} pickAll={<PickAll {...pickAll} />} />
          <tbody>
            {shown.map((campaign) => (
              <CampaignRow
                key={campaign.id}
                campaign={campaign}
                isSelected={selected.has(campaign.id)}
                onPick={onPick}
                onSaved={onSaved}
              />
            ))}
          </tbody>
          {loaded && <Total matching={matching} status={status} />}
        </table>
        {isLoading && <Skeleton of="campaigns" as="rows" lines={6} />}
        {loaded && matching.length === 0 && (
          <div class="empty">
            <p>No campaigns match.</p>
            <button type="button" onClick={() => show({ q: '', status: 'all' })}>
              Show all campaigns
            </button>
          </div>
        )}
      </section>
      <Pager
        page={page}
        pages={pages}
        says={`${formatCount(from + 1)} to ${formatCount(from + shown.length)} of ${formatCount(matching.length)}`}
        onPage={(next) => show({ page: next })}
      />
      {isBarWanted && <BulkBar chosen={chosen} matching={matching} onSelect={select} onSaved={onSaved} />}
    </>
  );
}

function Total({ matching, status }: { matching: readonly Summary[]; status: ListView['status'] }) {
  const totals = useMemo(() => getTotals(matching, status), [matching, status]);
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={3}>
          {totals.isWithoutCanceled ? 'Total without canceled' : 'Total'}{' '}
          <small>{counted(totals.campaigns, 'campaign')}</small>
        </th>
        <Numbers {...totals} />
        <td />
      </tr>
    </tfoot>
  );
}

interface PickAllProps {
  /** Whether its name is shown. */
  isNamed?: boolean;
  shown: readonly Summary[];
  selected: ReadonlySet<string>;
  onPick(isOn: boolean): void;
}

/** Selects the campaigns on this page of the list. */
function PickAll({ isNamed = false, shown, selected, onPick }: PickAllProps) {
  const count = shown.filter(({ id }) => selected.has(id)).length;
  const isAll = count > 0 && count === shown.length;
  return (
    <label class="pick-all">
      <input type="checkbox" checked={isAll} indeterminate={count > 0 && !isAll} onClick={() => onPick(!isAll)} />
      <span class={isNamed ? '' : 'unseen'}>Select all shown</span>
    </label>
  );
}

interface ViewProps {
  view: ListView;
  onChange(change: Partial<ListView>): void;
}

const Tools = ({ view, onChange, children }: ViewProps & { children: ComponentChildren }) => (
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
    {children}
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
    <option value="created">Sort: Newest first</option>
    {SORTABLE.map((sort) => (
      <option key={sort} value={sort}>
        Sort: {COLUMNS[sort]}
      </option>
    ))}
  </select>
);

const Head = ({ view, onChange, pickAll }: ViewProps & { pickAll: ComponentChildren }) => (
  <thead>
    <tr>
      <td class="pick">{pickAll}</td>
      {SORTABLE.map((sort, column) => {
        const isSorted = view.sort === sort;
        const order = isSorted ? (view.isDescending ? 'descending' : 'ascending') : undefined;
        return (
          <th
            key={sort}
            scope="col"
            class={column > 2 ? `number ${sort}` : ''}
            title={sort === 'ctr' ? 'Click-through rate' : undefined}
            aria-sort={order}
          >
            <button
              type="button"
              class="sort"
              onClick={() => onChange({ sort, isDescending: isSorted ? !view.isDescending : isMostFirst(sort) })}
            >
              {COLUMNS[sort]}
              <span class="order" aria-hidden="true">
                {order === 'descending' ? '↓' : order === 'ascending' ? '↑' : '↕'}
              </span>
            </button>
          </th>
        );
      })}
      <td />
    </tr>
  </thead>
);
