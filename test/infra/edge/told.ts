import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock } from '../../../shared/platform/clock.ts';

/** What is told of a request, and by it. */
export interface Told {
  now: number;
  lines: string[];
  measured: { name: string; value: number }[];
}

export const requests = new AsyncLocalStorage<Told>();

// The time is what a request says, nothing is late for want of a processor, and the log comes with the answer.
systemClock.now = () => requests.getStore()?.now ?? 0;
systemClock.timer = () => () => {};
for (const level of ['debug', 'info', 'warn', 'error'] as const)
  console[level] = (line: string) => requests.getStore()?.lines.push(line);
