import { useState } from 'preact/hooks';
import { counted, formatCount, formatRate, formatUsd } from '../format.ts';
import { Pager } from '../parts/pager.tsx';
import { Value } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { DAYS, getKeyState, type KeyBody } from './data.ts';
import { byEarnings, figuresOfAll, type KeySums, keyFigures } from './earnings.ts';

const PER_PAGE = 50;

interface KeyListProps {
  keys: readonly KeyBody[];
  days: number;
  onDays(days: number): void;
}

/** The totals of all keys, and each key. */
export function KeyList({ keys, days, onDays }: KeyListProps) {
  const [page, setPage] = useState(1);
  const pages = Math.ceil(keys.length / PER_PAGE);
  const from = (Math.min(page, pages) - 1) * PER_PAGE;
  const shown = byEarnings(keys).slice(from, from + PER_PAGE);
  return (
    <>
      <KeyTotals keys={keys} days={days} problem={null} onDays={onDays} />
      <section class="card flush" aria-label="Keys">
        <table class="list keys">
          <thead>
            <tr>
              {['Key', 'Status', 'Requests', 'Fill rate', 'Impressions', 'Clicks', 'Earnings'].map((name, column) => (
                <th key={name} scope="col" class={column > 1 ? 'number' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((key) => (
              <Row key={key.id} apiKey={key} />
            ))}
          </tbody>
        </table>
      </section>
      <Pager
        page={Math.min(page, pages)}
        pages={pages}
        says={`${formatCount(from + 1)} to ${formatCount(from + shown.length)} of ${formatCount(keys.length)}`}
        onPage={setPage}
      />
    </>
  );
}

interface KeyTotalsProps {
  /** Null while they load. */
  keys: readonly KeyBody[] | null;
  days: number;
  problem: string | null;
  onDays(days: number): void;
}

/** The totals of all keys. */
export function KeyTotals({ keys, days, problem, onDays }: KeyTotalsProps) {
  const sums = keys && figuresOfAll(keys);
  return (
    <section class="card" aria-label="Total">
      <div class="card-head">
        <h2>{keys ? counted(keys.length, 'key') : 'Keys'}</h2>
        <fieldset class="choice" aria-label="Days">
          {DAYS.map((choice) => (
            <button key={choice} type="button" aria-pressed={choice === days} onClick={() => onDays(choice)}>
              {choice} days
            </button>
          ))}
        </fieldset>
      </div>
      <dl class="tiles">
        {TOTALS.map(([name, format]) => (
          <div key={name} class="tile">
            <dt>{name}</dt>
            <dd>
              <Value text={sums && format(sums)} problem={problem} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const TOTALS: readonly [name: string, format: (sums: KeySums) => string][] = [
  ['Earnings', ({ earnings }) => formatUsd(earnings)],
  ['Impressions', ({ impressions }) => formatCount(impressions)],
  ['Clicks', ({ clicks }) => formatCount(clicks)],
  ['Requests', ({ requests }) => formatCount(requests)],
  ['Fill rate', ({ fillRate }) => formatRate(fillRate)],
];

function Row({ apiKey }: { apiKey: KeyBody }) {
  const { id, name, key, mode, bidFloor, lastUsedAt } = apiKey;
  const { requests, fillRate, impressions, clicks, earnings } = keyFigures(apiKey);
  // Nothing is counted for a test key.
  const unlessTest = (figure: string) => (mode === 'test' ? '–' : figure);
  const counts = [
    ['Requests', unlessTest(formatCount(requests))],
    ['Fill rate', unlessTest(formatRate(fillRate))],
    ['Impressions', unlessTest(formatCount(impressions))],
    ['Clicks', unlessTest(formatCount(clicks))],
  ] as const;
  return (
    <tr>
      <th scope="row">
        <a dir="auto" href={`/publisher/${id}`}>
          {name}
        </a>
        <small class="below">
          <code>{key}</code>
          {mode === 'test' && ' · earns nothing'}
          {bidFloor > 0 && ` · bid floor ${formatUsd(bidFloor, 3)}`} ·{' '}
          {lastUsedAt ? (
            <>
              last used <Time at={lastUsedAt} isInside />
            </>
          ) : (
            'never used'
          )}
        </small>
      </th>
      <td>
        <StatusBadge of={getKeyState(apiKey)} />
      </td>
      {counts.map(([label, count]) => (
        <td key={label} class="number" data-label={label}>
          {count}
        </td>
      ))}
      <td class="number earned" data-label="Earnings">
        {unlessTest(formatUsd(earnings))}
      </td>
    </tr>
  );
}
