import type { Stack } from '../../infra/local/stack.ts';
import { getItemSize } from '../../shared/platform/item-size.ts';
import type { Units } from './meter.ts';

/** The use of one step, measured on the stand-ins. */
export interface TableUse extends Units {
  /** Bytes of the log lines of functions. */
  logBytes: number;
  /** Requests to the queue. */
  queueRequests: number;
}

export const NO_USE: TableUse = {
  writes: 0,
  reads: 0,
  logBytes: 0,
  queueRequests: 0,
  answerBytes: 0,
  writesByTable: {},
};

export const multiply = (use: TableUse, count: number): TableUse => ({
  writes: use.writes * count,
  reads: use.reads * count,
  logBytes: use.logBytes * count,
  queueRequests: use.queueRequests * count,
  answerBytes: use.answerBytes * count,
  writesByTable: Object.fromEntries(
    Object.entries(use.writesByTable).map(([table, writes]) => [table, writes * count]),
  ),
});
export const divide = (use: TableUse, count: number): TableUse => multiply(use, 1 / count);
export const add = (a: TableUse, b: TableUse): TableUse => ({
  writes: a.writes + b.writes,
  reads: a.reads + b.reads,
  logBytes: a.logBytes + b.logBytes,
  queueRequests: a.queueRequests + b.queueRequests,
  answerBytes: a.answerBytes + b.answerBytes,
  writesByTable: Object.fromEntries(
    [...Object.keys(a.writesByTable), ...Object.keys(b.writesByTable)].map((table) => [
      table,
      (a.writesByTable[table] ?? 0) + (b.writesByTable[table] ?? 0),
    ]),
  ),
});

/** A measured stack. */
export interface MeasuredStack {
  stack: Stack;
  use(act: () => Promise<unknown>): Promise<TableUse>;
  /** Advances the clock. */
  wait(ms: number): void;
}

/** Bytes of an item, including the hundred bytes that DynamoDB adds. */
export const itemBytes = (item: object): number => 100 + getItemSize(item);
