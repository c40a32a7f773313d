import type { Clock } from './clock.ts';
import { createDeadlines } from './deadlines.ts';

/** The clock of the machine. Apart from `clock.ts`, which also runs in browsers. */
export const systemClock: Clock = {
  ...createDeadlines(),
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  timer(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
