import type { Clock } from '../platform/clock.ts';
import type { PendingCall, PendingCalls } from '../platform/deadlines.ts';

/** Where the time of one request goes. */
export interface Timings {
  /** Starts a phase. The returned function ends it. */
  begin(phase: string): () => void;
  /** The pending calls, kept by `Clock.noting`. */
  calls: PendingCalls;
  /** Duration of each phase in milliseconds; of a running phase, until now. */
  phases(): Record<string, number>;
  /** The pending calls, the longest first. */
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
