import { useState } from 'preact/hooks';
import { counted, formatCount, formatUsd, orNone } from '../format.ts';
import { type Kind, type Line, type Statement, type StatementDay, sumByItem } from './statement.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const COUNTS = ['impressions', 'clicks', 'conversions'] as const;
type Counts = Record<(typeof COUNTS)[number], number | null>;

/** The sums of lines. Null for what keys do not have, or if lines are missing. */
const sumUp = (lines: readonly Counts[], isCut: boolean): Counts => {
  const sum = (of: (typeof COUNTS)[number]) =>
    isCut || lines.some((line) => line[of] === null) ? null : lines.reduce((total, line) => total + line[of]!, 0);
  return { impressions: sum('impressions'), clicks: sum('clicks'), conversions: sum('conversions') };
};

const PAGES = { spend: '/campaigns', earnings: '/publisher' } as const;

const toColumns = (kind: Kind) => (kind === 'spend' ? COUNTS : COUNTS.slice(0, 2));

interface TableProps {
  statement: Statement;
  /** Whether a campaign or key does not exist anymore. */
  isDeleted(id: string): boolean;
}

interface StatementTableProps extends TableProps {
  /** The days that show their lines. */
  opened: ReadonlySet<string>;
  onToggle(date: string): void;
}

/** The days of a month with their sums, and their lines when asked for. */
export const StatementTable = ({ statement, isDeleted, opened, onToggle }: StatementTableProps) => (
  <table class="statement">
    <Head kind={statement.kind} of="Day (UTC)" />
    {statement.days.map((ofDay) => (
      <tbody key={ofDay.date}>
        <tr>
          <th scope="row">
            <DayName
              day={ofDay}
              what={statement.kind === 'spend' ? 'campaign' : 'key'}
              isOpen={opened.has(ofDay.date)}
              onToggle={onToggle}
            />
          </th>
          <Figures kind={statement.kind} counts={sumUp(ofDay.lines, ofDay.isCut)} amount={ofDay.amount} />
        </tr>
        {opened.has(ofDay.date) &&
          ofDay.lines.map((line) => (
            <LineRow key={line.id} class="line" kind={statement.kind} line={line} isDeleted={isDeleted(line.id)} />
          ))}
      </tbody>
    ))}
    <Total {...statement} />
  </table>
);

/** The campaigns or keys of a month with their sums. */
export const ItemTable = ({ statement: { kind, ...statement }, isDeleted }: TableProps) => (
  <table class="statement">
    <Head kind={kind} of={kind === 'spend' ? 'Campaign' : 'Key'} />
    <tbody>
      {sumByItem(statement.days).map((line) => (
        <LineRow key={line.id} class="item" kind={kind} line={line} isDeleted={isDeleted(line.id)} />
      ))}
    </tbody>
    <Total kind={kind} {...statement} />
  </table>
);

const Head = ({ kind, of }: { kind: Kind; of: string }) => (
  <thead>
    <tr>
      <th scope="col">{of}</th>
      {toColumns(kind).map((column) => (
        <th key={column} scope="col" class="number count">
          {column[0]!.toUpperCase() + column.slice(1)}
        </th>
      ))}
      <th scope="col" class="number">
        {kind === 'spend' ? 'Spend' : 'Earnings'}
      </th>
    </tr>
  </thead>
);

const Figures = ({ kind, counts, amount }: { kind: Kind; counts: Counts; amount: number }) => (
  <>
    {toColumns(kind).map((column) => (
      <td key={column} class="number count">
        {orNone(formatCount)(counts[column])}
      </td>
    ))}
    <td class="number">{formatUsd(amount)}</td>
  </>
);

const Total = ({ kind, days, isCut, amount }: Pick<Statement, 'kind' | 'days' | 'isCut' | 'amount'>) => {
  const lines = days.flatMap((day) => day.lines);
  return (
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        <Figures kind={kind} counts={sumUp(lines, isCut)} amount={amount} />
      </tr>
    </tfoot>
  );
};

interface LineRowProps {
  class: string;
  kind: Kind;
  line: Line;
  isDeleted: boolean;
}

/** A campaign or key. What is deleted has no page to link to. */
const LineRow = ({ class: className, kind, line, isDeleted }: LineRowProps) => (
  <tr class={className}>
    <th scope="row">
      {isDeleted ? (
        <>
          <bdi>{line.name}</bdi> <span class="tag">Deleted</span>
        </>
      ) : (
        <a dir="auto" href={`${PAGES[kind]}/${line.id}`}>
          {line.name}
        </a>
      )}
      <small class="below">
        {counted(line.impressions, 'impression')} · {counted(line.clicks, 'click')}
        {line.conversions !== null && ` · ${counted(line.conversions, 'conversion')}`}
      </small>
    </th>
    <Figures kind={kind} counts={line} amount={line.amount} />
  </tr>
);

interface DayNameProps {
  day: StatementDay;
  /** What its lines are. */
  what: string;
  isOpen: boolean;
  onToggle(date: string): void;
}

/** A day. With lines, it is the button that shows them. */
const DayName = ({ day: { date, lines, isPreliminary }, what, isOpen, onToggle }: DayNameProps) => {
  const name = day.format(Date.parse(date));
  return (
    <>
      {lines.length > 0 ? (
        <button type="button" class="expander" aria-expanded={isOpen} onClick={() => onToggle(date)}>
          {name} <small>{counted(lines.length, what)}</small>
        </button>
      ) : (
        <span class="expander">{name}</span>
      )}
      {isPreliminary && <span class="tag">Preliminary</span>}
    </>
  );
};

/** The days whose lines are shown. */
export function useOpened(days: readonly StatementDay[]) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const openable = days.filter(({ lines }) => lines.length > 0).map(({ date }) => date);
  const isAll = openable.length > 0 && openable.every((date) => opened.has(date));
  return {
    opened,
    isAll,
    isAny: openable.length > 0,
    toggle: (date: string) =>
      setOpened((now) => (now.has(date) ? new Set([...now].filter((one) => one !== date)) : new Set([...now, date]))),
    toggleAll: () => setOpened(new Set(isAll ? [] : openable)),
  };
}
