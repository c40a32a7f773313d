import { useState } from 'preact/hooks';
import { counted, formatCount, formatUsd, orNone } from '../format.ts';
import type { Statement, StatementDay } from './statement.ts';

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

interface StatementTableProps {
  statement: Statement;
  /** The days that show their lines. */
  opened: ReadonlySet<string>;
  onToggle(date: string): void;
}

/** The days of a month with their sums, and their lines when asked for. */
export function StatementTable({ statement, opened, onToggle }: StatementTableProps) {
  const { kind, amount, days, isCut } = statement;
  const columns = kind === 'spend' ? COUNTS : COUNTS.slice(0, 2);
  const counts = (of: Counts) =>
    columns.map((column) => (
      <td key={column} class="number count">
        {orNone(formatCount)(of[column])}
      </td>
    ));
  return (
    <table class="statement">
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          {columns.map((column) => (
            <th key={column} scope="col" class="number count">
              {column[0]!.toUpperCase() + column.slice(1)}
            </th>
          ))}
          <th scope="col" class="number">
            {kind === 'spend' ? 'Spend' : 'Earnings'}
          </th>
        </tr>
      </thead>
      {days.map((ofDay) => (
        <tbody key={ofDay.date}>
          <tr>
            <th scope="row">
              <DayName
                day={ofDay}
                what={kind === 'spend' ? 'campaign' : 'key'}
                isOpen={opened.has(ofDay.date)}
                onToggle={onToggle}
              />
            </th>
            {counts(sumUp(ofDay.lines, ofDay.isCut))}
            <td class="number">{formatUsd(ofDay.amount)}</td>
          </tr>
          {opened.has(ofDay.date) &&
            ofDay.lines.map((line) => (
              <tr key={line.id} class="line">
                <th scope="row">
                  <a dir="auto" href={`${PAGES[kind]}/${line.id}`}>
                    {line.name}
                  </a>
                  <small class="below">
                    {counted(line.impressions, 'impression')} · {counted(line.clicks, 'click')}
                    {line.conversions !== null && ` · ${counted(line.conversions, 'conversion')}`}
                  </small>
                </th>
                {counts(line)}
                <td class="number">{formatUsd(line.amount)}</td>
              </tr>
            ))}
        </tbody>
      ))}
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          {counts(
            sumUp(
              days.flatMap(({ lines }) => lines),
              isCut,
            ),
          )}
          <td class="number">{formatUsd(amount)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

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
