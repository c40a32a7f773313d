import type { Clock } from '../platform/clock.ts';
import type { PendingCall, PendingCalls } from '../platform/deadlines.ts';

/** What the time of one request goes into. */
export interface Timings {
  /** Begins a phase; what it gives ends it. */
  begin(phase: string): () => void;
  /** Calls that have no answer yet, kept by `Clock.noting`. */
  calls: PendingCalls;
  /** Milliseconds of each phase, until now where it is not over. */
  phases(): Record<string, number>;
  /** The calls that are waited for now, the longest first. */
  waitingFor(): (Omit<PendingCall, 'since'> & { ms: number })[];
}

export function createTimings({ now }: Pick<Clock, 'now'>): Timings {
  const phases = new Map<string, { from: number; until?: number }>();
  const calls: PendingCalls = new Set();
  return {
    begin(name) {
      const phase: { from: number; until?: number } = { from: now() };
      phases.set(name, phase);
      return () => {
        phase.until = now();
      };
    },
    calls,
    phases: () => Object.fromEntries([...phases].map(([name, { from, until }]) => [name, (until ?? now()) - from])),
    waitingFor: () =>
      [...calls].map(({ since, ...call }) => ({ ...call, ms: now() - since })).sort((a, b) => b.ms - a.ms),
  };
}

/** The same calls as members of `timingsMs`: `pending write api-keys`. Several of a kind count once, by the longest. */
export const pendingMs = (timings: Timings): Record<string, number> =>
  Object.fromEntries(
    timings
      .waitingFor()
      .reverse()
      .map(({ call, table, ms }) => [['pending', call, table].filter(Boolean).join(' '), ms]),
  );
