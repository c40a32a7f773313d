import { useEffect, useState } from 'preact/hooks';

/** Delay before the first recheck. Each later delay is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

/** The result of the last request. `failing` means a server error; `signed out` means that the token was rejected. */
export type Condition = 'well' | 'unreachable' | 'failing' | 'signed out';

export interface Health {
  now(): Condition;
  report(condition: Condition): void;
  /** When the service accepts requests of the visitor again, epoch ms. In the past if it does now. */
  refusedUntil(): number;
  /** Reports too many requests. No part of the page polls for this time. */
  refuse(ms: number): void;
  /** Calls `call` on each change of these two. Returns a function that stops it. */
  watch(call: () => void): () => void;
  /** Functions that reload the parts of the page without a current response. */
  waiting: Set<() => Promise<unknown>>;
  /** If the service responds again, reloads the waiting parts. If none wait, reports the service as well. */
  recheck(): Promise<void>;
}

/** @param isAnswering checks only whether the service responds */
export function createHealth(isAnswering: () => Promise<boolean>): Health {
  let current: Condition = 'well';
  let refusedUntil = 0;
  const watchers = new Set<() => void>();
  const waiting: Health['waiting'] = new Set();
  const tell = () => {
    for (const call of watchers) call();
  };
  const report = (condition: Condition) => {
    if (condition === current) return;
    current = condition;
    tell();
  };
  return {
    now: () => current,
    report,
    refusedUntil: () => refusedUntil,
    refuse(ms) {
      refusedUntil = Math.max(refusedUntil, Date.now() + ms);
      tell();
    },
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

/** The seconds until the service accepts requests of the visitor again, counted down. 0 if it does now. */
export function useSecondsRefused(health: Health): number {
  const toSeconds = () => Math.max(0, Math.ceil((health.refusedUntil() - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(toSeconds);
  useEffect(() => {
    let timer: number;
    const count = () => {
      clearTimeout(timer);
      const left = toSeconds();
      setSeconds(left);
      if (left > 0) timer = window.setTimeout(count, health.refusedUntil() - Date.now() - (left - 1) * 1000);
    };
    count();
    const stop = health.watch(count);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [health]);
  return seconds;
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
