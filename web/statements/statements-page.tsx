import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useDeleted } from '../deletions/deletions.ts';
import { formatUsd } from '../format.ts';
import { Download } from '../parts/download.tsx';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { isMonth, listMonths, nameMonth, toMonth } from './months.ts';
import { type Kind, loadExisting, loadStatement, loadStatementCsv, type Statement } from './statement.ts';
import { ItemTable, StatementTable, useOpened } from './statement-table.tsx';

const KINDS: readonly (readonly [kind: Kind, name: string])[] = [
  ['spend', 'Spend'],
  ['earnings', 'Earnings'],
];

/** What the lines of a kind are. */
const ITEMS = { spend: 'campaign', earnings: 'key' } as const;

/** A month that is over changes seldom. */
const EVERY_MS = 60_000;

interface View {
  kind: Kind;
  month: string;
  /** Whether the month is summed up by campaign or key, not by day. */
  isByItem: boolean;
}

/** The kind, the month, and the grouping in the page's URL. Defaults to this month's spend. */
function useView() {
  const { query, route } = useLocation();
  const current = toMonth(Date.now());
  const kind = KINDS.find(([known]) => known === query.kind)?.[0] ?? 'spend';
  const view: View = {
    kind,
    month: query.month && isMonth(query.month) ? query.month : current,
    isByItem: query.by === ITEMS[kind],
  };
  const show = (change: Partial<View>) => {
    const { kind: wanted, month, isByItem } = { ...view, ...change };
    const params = {
      ...(month !== current && { month }),
      ...(wanted !== 'spend' && { kind: wanted }),
      ...(isByItem && { by: ITEMS[wanted] }),
    };
    const text = new URLSearchParams(params).toString();
    route(text ? `/statements?${text}` : '/statements', true);
  };
  return { view, show };
}

/** What the account spent or earned in a month, by day, or by campaign or key. */
export default function StatementsPage() {
  const { view, show } = useView();
  return (
    <Page title="Statements">
      <div class="tools filter">
        <fieldset class="choice" aria-label="Kind">
          {KINDS.map(([kind, name]) => (
            <button key={kind} type="button" aria-pressed={kind === view.kind} onClick={() => show({ kind })}>
              {name}
            </button>
          ))}
        </fieldset>
        <fieldset class="choice" aria-label="Sums">
          {[false, true].map((isByItem) => (
            <button
              key={String(isByItem)}
              type="button"
              aria-pressed={isByItem === view.isByItem}
              onClick={() => show({ isByItem })}
            >
              By {isByItem ? ITEMS[view.kind] : 'day'}
            </button>
          ))}
        </fieldset>
        <MonthSelect value={view.month} onChange={(month) => show({ month })} />
      </div>
      <Month key={`${view.kind} ${view.month}`} {...view} />
    </Page>
  );
}

function MonthSelect({ value, onChange }: { value: string; onChange(month: string): void }) {
  const months = listMonths(Date.now());
  return (
    <select aria-label="Month" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {(months.includes(value) ? months : [value, ...months]).map((month) => (
        <option key={month} value={month}>
          {nameMonth(month)}
        </option>
      ))}
    </select>
  );
}

/** Tells which campaigns or keys of a statement do not exist anymore. */
function useGone({ kind, days }: Pick<Statement, 'kind' | 'days'>): (id: string) => boolean {
  const { ads, deletions } = useSession();
  const ids = [...new Set(days.flatMap(({ lines }) => lines.map(({ id }) => id)))].sort().join(' ');
  const { value, again } = useLive(
    async () => ({ ids, existing: ids === '' ? null : await loadExisting(ads, kind) }),
    [ads, ids],
    null,
  );
  const isDeleted = useDeleted(deletions, again);
  // One that is newer than the loaded list is not in it.
  const existing = value?.ids === ids ? value.existing : null;
  return (id) => isDeleted(id) || existing?.has(id) === false;
}

function Month({ kind, month, isByItem }: View) {
  const { ads, visitor } = useSession();
  const [pages, setPages] = useState(1);
  const wanted = isByItem ? Number.POSITIVE_INFINITY : pages;
  const { value: loaded, problem } = useLive(
    () => loadStatement(ads, month, kind, wanted),
    [ads, wanted],
    (statement) => EVERY_MS * statement.pages,
  );
  // The sums by campaign or key need all lines.
  const value = isByItem && loaded?.isCut ? null : loaded;
  const isGone = useGone({ kind, days: value?.days ?? [] });
  const { opened, isAll, isAny, toggle, toggleAll } = useOpened(value?.days ?? []);
  const title = `${kind === 'spend' ? 'Spend' : 'Earnings'} in ${nameMonth(month)}`;
  const isEmpty = value !== null && value.amount === 0 && !isAny;
  return (
    <>
      <Problem text={problem} />
      {!value && !problem && <Skeleton of="the statement" as="rows" lines={10} />}
      {isEmpty && <Nothing kind={kind} month={month} />}
      {value && !isEmpty && (
        <section class="card" aria-label={title}>
          <div class="card-head">
            <h2>
              {title}: {formatUsd(value.amount)}
            </h2>
            <div class="tools">
              {!isByItem && (
                <button type="button" class="small" onClick={toggleAll}>
                  {isAll ? 'Hide' : 'Show'} {ITEMS[kind]}s
                </button>
              )}
              <Download file={`${kind}-${month}.csv`} load={() => loadStatementCsv(ads, month, kind)} />
              <button type="button" class="small" onClick={() => print()}>
                Print
              </button>
            </div>
          </div>
          <p class="notice">
            Account: {visitor.user}. Days are in UTC, amounts in USD.{' '}
            {value.days.some(({ isPreliminary }) => isPreliminary) && 'Preliminary days can still change.'}
          </p>
          {isByItem ? (
            <ItemTable statement={value} isDeleted={isGone} />
          ) : (
            <StatementTable statement={value} isDeleted={isGone} opened={opened} onToggle={toggle} />
          )}
          {value.isCut && (
            <div class="actions after">
              <button type="button" onClick={() => setPages(pages + 1)}>
                Show more days
              </button>
              <small>The total is of the whole month.</small>
            </div>
          )}
        </section>
      )}
    </>
  );
}

const Nothing = ({ kind, month }: Pick<Statement, 'kind' | 'month'>) => (
  <section class="card empty" aria-label="Nothing here">
    <h2>
      No {kind} in {nameMonth(month)}
    </h2>
    {kind === 'spend' ? (
      <>
        <p>A campaign spends when its ad is shown.</p>
        <a class="button" href="/campaigns">
          Go to campaigns
        </a>
      </>
    ) : (
      <>
        <p>A live key earns when an ad is shown in a conversation that it asked for.</p>
        <a class="button" href="/publisher">
          Go to keys
        </a>
      </>
    )}
  </section>
);
