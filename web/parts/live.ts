import { h, type VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { type Faults, isRefusal, isTrouble, toFaults, toProblem } from '../errors.ts';
import { useSession } from '../session.ts';
import { Refused } from './refused.tsx';

const EVERY_MS = 10_000;
const MAX_PAUSE_MS = 60_000;

export interface Live<T> {
  /** Null until the first response. */
  value: T | null;
  /** The service's error message. Null for what the banner reports: failures of the service itself, and too many requests. */
  problem: string | null;
  /** Whether the last response was 404. */
  isMissing: boolean;
  /** Reloads at once, for example after an action of the visitor. */
  again(): Promise<void>;
}

const isNoSuchThing = (error: unknown): boolean => error instanceof AdsError && error.status === 404;
const toRetryMs = (error: unknown): number => (error instanceof AdsError ? (error.retryAfter ?? 0) * 1000 : 0);

/**
 * Loads data, and polls it while the component is mounted and the page is visible. The pause between requests doubles while nothing
 * changes, up to a minute: all pages share the visitor's limit of requests. While the service refuses requests, there is no poll.
 * @param about the dependencies of `load`
 * @param everyMs the first pause, which may depend on what was loaded; null to reload only if a dependency changes
 */
export function useLive<T>(
  load: () => Promise<T>,
  about: readonly unknown[],
  everyMs: number | null | ((value: T) => number) = EVERY_MS,
): Live<T> {
  const { health } = useSession();
  const [state, setState] = useState<Omit<Live<T>, 'again'>>({ value: null, problem: null, isMissing: false });
  const reload = useRef(() => Promise.resolve());

  useEffect(() => {
    let timer: number;
    let turn = 0;
    let isEnough = false;
    let last: string | undefined;
    let firstPauseMs = typeof everyMs === 'number' ? everyMs : EVERY_MS;
    let pauseMs = firstPauseMs;
    const lengthen = () => {
      pauseMs = Math.max(firstPauseMs, Math.min(MAX_PAUSE_MS, pauseMs * 2));
    };
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => document.hidden || poll(), ms);
    };
    const poll = async () => {
      const refusedMs = health.refusedUntil() - Date.now();
      if (refusedMs > 0) wait(refusedMs);
      else await ask();
    };
    const ask = async () => {
      clearTimeout(timer);
      health.waiting.add(poll);
      const mine = ++turn;
      const isOutdated = () => mine !== turn;
      try {
        const value = await load();
        if (isOutdated()) return;
        health.waiting.delete(poll);
        isEnough = everyMs === null;
        setState({ value, problem: null, isMissing: false });
        if (typeof everyMs === 'function') firstPauseMs = everyMs(value);
        const text = JSON.stringify(value);
        if (text === last) lengthen();
        else pauseMs = firstPauseMs;
        last = text;
        if (!isEnough) wait(pauseMs);
      } catch (error) {
        if (isOutdated()) return;
        if (isRefusal(error)) {
          health.waiting.delete(poll);
          return wait(Math.max(toRetryMs(error), health.refusedUntil() - Date.now(), 1_000));
        }
        if (!isTrouble(error)) health.waiting.delete(poll);
        const isMissing = isNoSuchThing(error);
        isEnough = everyMs === null && isMissing;
        const problem = isTrouble(error) ? null : toProblem(error);
        setState(({ value }) => ({ value, problem, isMissing }));
        lengthen();
        if (!isEnough) wait(Math.max(pauseMs, toRetryMs(error)));
      }
    };
    const hasten = () => {
      pauseMs = firstPauseMs;
      last = undefined;
    };
    const look = () => {
      if (isEnough || document.hidden) return;
      hasten();
      poll();
    };
    reload.current = () => {
      hasten();
      return ask();
    };
    poll();
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      turn++; // ignore responses that are still on their way
      reload.current = () => Promise.resolve();
      health.waiting.delete(poll);
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [health, ...about]);

  const again = useCallback(() => reload.current(), []);
  return { ...state, again };
}

/** An action of the visitor: whether it is in progress, and the API's error messages. @param changes whether it changes anything */
export function useAct(changes = true) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | VNode | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const isUnderWay = useRef(false);
  /** Resolves to whether it succeeded. Does nothing while the action is in progress: its button stays focusable. */
  const act = async (what: () => Promise<unknown>): Promise<boolean> => {
    if (changes && isUnderWay.current) return false;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(null);
    setFaults({});
    try {
      await what();
      return true;
    } catch (error) {
      setProblem(isRefusal(error) ? h(Refused, {}) : toProblem(error, changes));
      setFaults(error instanceof AdsError ? toFaults(error.details) : {});
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, faults, act };
}
