import { useEffect, useState } from 'preact/hooks';
import { createWatchers } from './watchers.ts';

/** Delay before the first recheck. Each later delay is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

/** The result of the last request. `failing` means a server error; `signed out` means that the token was rejected. */
export type Condition = 'well' | 'unreachable' | 'failing' | 'signed out';

export interface Health {
  now(): Condition;
  report(condition: Condition): void;
  /** How long the service refuses requests of the visitor. 0 if it accepts them. */
  refusedMs(): number;
  /** Resolves when the service accepts requests again, or when the signal is aborted. */
  untilAccepted(signal?: AbortSignal): Promise<void>;
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
  const { tell, watch } = createWatchers();
  const waiting: Health['waiting'] = new Set();
  const refusedMs = () => Math.max(0, refusedUntil - Date.now());
  const report = (condition: Condition) => {
    if (condition === current) return;
    current = condition;
    tell();
  };
  return {
    now: () => current,
    report,
    refusedMs,
    untilAccepted: (signal) => pause(refusedMs(), signal),
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
    watch,
  };
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true });
  });

export function useHealth(health: Health): Condition {
  const [condition, setCondition] = useState(health.now());
  useEffect(() => health.watch(() => setCondition(health.now())), [health]);
  return condition;
}

/** The seconds until the service accepts requests of the visitor again, counted down. 0 if it does now. */
export function useSecondsRefused(health: Health): number {
  const toSeconds = () => Math.ceil(health.refusedMs() / 1000);
  const [seconds, setSeconds] = useState(toSeconds);
  useEffect(() => {
    let timer: number;
    const count = () => {
      clearTimeout(timer);
      const left = toSeconds();
      setSeconds(left);
      if (left > 0) timer = window.setTimeout(count, health.refusedMs() - (left - 1) * 1000);
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
