import type { Stack } from '../../infra/local/stack.ts';
import type { Units } from './meter.ts';

/** What one of something uses, measured on the stand-ins. */
export interface TableUse extends Units {
  /** Of the functions' own lines. */
  logBytes: number;
  /** Requests to the queue. */
  queueRequests: number;
}

export const NOTHING: TableUse = { writes: 0, reads: 0, logBytes: 0, queueRequests: 0, answerBytes: 0, writesOf: {} };

export const times = (use: TableUse, count: number): TableUse => ({
  writes: use.writes * count,
  reads: use.reads * count,
  logBytes: use.logBytes * count,
  queueRequests: use.queueRequests * count,
  answerBytes: use.answerBytes * count,
  writesOf: Object.fromEntries(Object.entries(use.writesOf).map(([table, writes]) => [table, writes * count])),
});
export const each = (use: TableUse, count: number): TableUse => times(use, 1 / count);
export const plus = (a: TableUse, b: TableUse): TableUse => ({
  writes: a.writes + b.writes,
  reads: a.reads + b.reads,
  logBytes: a.logBytes + b.logBytes,
  queueRequests: a.queueRequests + b.queueRequests,
  answerBytes: a.answerBytes + b.answerBytes,
  writesOf: Object.fromEntries(
    [...Object.keys(a.writesOf), ...Object.keys(b.writesOf)].map((table) => [
      table,
      (a.writesOf[table] ?? 0) + (b.writesOf[table] ?? 0),
    ]),
  ),
});

/** A stack whose steps are measured. */
export interface Measured {
  stack: Stack;
  use(act: () => Promise<unknown>): Promise<TableUse>;
  /** Moves the clock. */
  wait(ms: number): void;
}
