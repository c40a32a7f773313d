import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { type Failure, type Faults, isRefusal, isTrouble, toFaults, toProblem } from '../errors.ts';
import { useSession } from '../session.ts';
import { createPauses } from './pauses.ts';

const EVERY_MS = 10_000;

export interface Live<T> {
  /** Null until the first response. */
  value: T | null;
  /** The service's error message. Null for what the banner reports: failures of the service itself, and too many requests. */
  problem: string | null;
  /** Whether the last response was 404. */
  isMissing: boolean;
  /** Reloads at once, for example after an action of the visitor. */
  again(): Promise<void>;
  /** Adds what the service responded to a change, so that the change needs no reload. */
  merge(saved: Partial<T>): void;
}

const isNoSuchThing = (error: unknown): boolean => error instanceof AdsError && error.status === 404;
const toRetryMs = (error: unknown): number => (error instanceof AdsError ? (error.retryAfter ?? 0) * 1000 : 0);

const NOTHING = { again: () => Promise.resolve(), merge: () => {} };

/**
 * Loads data, and polls it while the component is mounted and the page is visible, with longer pauses while nothing changes: all pages
 * share the visitor's limit of requests. While the service refuses requests, there is no poll.
 * @param about the dependencies of `load`
 * @param everyMs shortest poll interval, or a function of the loaded value; null to reload only if a dependency changes
 */
export function useLive<T>(
  load: () => Promise<T>,
  about: readonly unknown[],
  everyMs: number | null | ((value: T) => number) = EVERY_MS,
): Live<T> {
  const { health } = useSession();
  const [state, setState] = useState<Pick<Live<T>, 'value' | 'problem' | 'isMissing'>>({
    value: null,
    problem: null,
    isMissing: false,
  });
  const current = useRef<Pick<Live<T>, 'again' | 'merge'>>(NOTHING);

  useEffect(() => {
    let timer: number;
    let turn = 0;
    let isEnough = false;
    const pauses = createPauses(typeof everyMs === 'number' ? everyMs : EVERY_MS);
    const wait = (ms: number) => {
      clearTimeout(timer);
      if (!isEnough) timer = window.setTimeout(() => document.hidden || poll(), ms);
    };
    const poll = async () => {
      const refusedMs = health.refusedMs();
      if (refusedMs > 0) wait(refusedMs);
      else await ask();
    };
    const ask = async () => {
      clearTimeout(timer);
      health.waiting.add(poll);
      const mine = ++turn;
      try {
        const value = await load();
        if (mine === turn) take(value);
      } catch (error) {
        if (mine === turn) fail(error);
      }
    };
    const take = (value: T) => {
      health.waiting.delete(poll);
      isEnough = everyMs === null;
      if (typeof everyMs === 'function') pauses.setShortest(everyMs(value));
      setState({ value, problem: null, isMissing: false });
      wait(pauses.afterValue(value));
    };
    const fail = (error: unknown) => {
      if (!isTrouble(error)) health.waiting.delete(poll);
      if (isRefusal(error)) return wait(Math.max(health.refusedMs(), 1_000));
      const isMissing = isNoSuchThing(error);
      isEnough = everyMs === null && isMissing;
      const problem = isTrouble(error) ? null : toProblem(error);
      setState(({ value }) => ({ value, problem, isMissing }));
      wait(Math.max(pauses.afterFailure(), toRetryMs(error)));
    };
    const look = () => {
      if (isEnough || document.hidden) return;
      pauses.hasten();
      poll();
    };
    current.current = {
      again() {
        pauses.hasten();
        return ask();
      },
      merge(saved) {
        turn++; // a response on its way may be older than the change
        health.waiting.delete(poll);
        setState(({ value }) => ({ value: value && { ...value, ...saved }, problem: null, isMissing: false }));
        wait(pauses.hasten());
      },
    };
    poll();
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      turn++; // ignore responses that are still on their way
      current.current = NOTHING;
      health.waiting.delete(poll);
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [health, ...about]);

  const again = useCallback(() => current.current.again(), []);
  const merge = useCallback((saved: Partial<T>) => current.current.merge(saved), []);
  return { ...state, again, merge };
}

/** An action of the visitor: whether it is in progress, and the API's error messages. @param changes whether it changes anything */
export function useAct(changes = true) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Failure | null>(null);
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
      setProblem(isRefusal(error) ? error : toProblem(error, changes));
      setFaults(error instanceof AdsError ? toFaults(error.details) : {});
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, faults, act };
}
