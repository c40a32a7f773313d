import { useEffect, useState } from 'preact/hooks';

/** Delay before the first recheck. Each later delay is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

/** The result of the last request. `failing` means a server error; `signed out` means that the token was rejected. */
export type Condition = 'well' | 'unreachable' | 'failing' | 'signed out';

export interface Health {
  now(): Condition;
  report(condition: Condition): void;
  /** Calls `call` on each change. Returns a function that stops it. */
  watch(call: () => void): () => void;
  /** Functions that reload the parts of the page without a current response. */
  waiting: Set<() => Promise<unknown>>;
  /** If the service responds again, reloads the waiting parts. If none wait, reports the service as well. */
  recheck(): Promise<void>;
}

/** @param isAnswering checks only whether the service responds */
export function createHealth(isAnswering: () => Promise<boolean>): Health {
  let current: Condition = 'well';
  const watchers = new Set<() => void>();
  const waiting: Health['waiting'] = new Set();
  const report = (condition: Condition) => {
    if (condition === current) return;
    current = condition;
    for (const call of watchers) call();
  };
  return {
    now: () => current,
    report,
    waiting,
    async recheck() {
      if (!(await isAnswering())) return;
      await Promise.all([...waiting].map((again) => again()));
      if (waiting.size === 0 && current !== 'signed out') report('well');
    },
    watch(call) {
      watchers.add(call);
      return () => watchers.delete(call);
    },
  };
}

export function useHealth(health: Health): Condition {
  const [condition, setCondition] = useState(health.now());
  useEffect(() => health.watch(() => setCondition(health.now())), [health]);
  return condition;
}

/** Rechecks a failing service at growing intervals, and at once when the network returns or the page becomes visible. */
export function useRecheck(health: Health, isTrouble: boolean): void {
  useEffect(() => {
    if (!isTrouble) return;
    let timer: number;
    let isOver = false;
    let pauseMs = FIRST_PAUSE_MS;
    const wait = () => {
      clearTimeout(timer);
      timer = window.setTimeout(recheck, pauseMs);
    };
    const recheck = async () => {
      await health.recheck();
      if (isOver) return;
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      wait();
    };
    const look = () => document.hidden || recheck();
    wait();
    addEventListener('online', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener('online', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [health, isTrouble]);
}
