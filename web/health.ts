import { useEffect, useState } from 'preact/hooks';

/** Before it is asked first whether trouble is over; each pause after that is twice as long. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** How the service has answered last: as it should, not at all, with a failure, or that nobody is signed in. */
export type Condition = 'well' | 'unreachable' | 'failing' | 'signed out';

export interface Health {
  now(): Condition;
  report(condition: Condition): void;
  /** Calls whenever it changes; gives the way to stop that. */
  watch(call: () => void): () => void;
  /** Parts of the page that wait for an answer, by how each asks for it again. */
  waiting: Set<() => Promise<unknown>>;
  /** Looks whether trouble is over: what waits asks again, and where nothing does it is enough that the service answers. */
  recheck(): Promise<void>;
}

/** @param isAnswering asks the service for nothing but an answer */
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

/** While there is trouble, looks whether it is over: more and more seldom, and at once when the network or the visitor is back. */
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
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
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
