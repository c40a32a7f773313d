import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { type Faults, isTrouble, toFaults, toProblem } from '../errors.ts';
import { SessionContext } from '../session.ts';

const EVERY_MS = 10_000;
const MAX_INTERVAL_MS = 120_000;
/** How much less often a hidden page polls. */
const HIDDEN_FACTOR = 6;

export interface Live<T> {
  /** Null until the first response. */
  value: T | null;
  /** The service's error message. Null for failures of the service itself, which the banner reports. */
  problem: string | null;
  /** Whether the last response was 404. */
  isMissing: boolean;
  again(): Promise<void>;
}

/** Delay until the next request: longer after each failure, and at least Retry-After. */
function pauseBeforeAsking(everyMs: number, isHidden: boolean, failures: number, error: unknown): number {
  const usual = Math.min(MAX_INTERVAL_MS, everyMs * (isHidden ? HIDDEN_FACTOR : 1) * 2 ** failures);
  const asked = error instanceof AdsError && error.retryAfter ? error.retryAfter * 1000 : 0;
  return Math.max(usual, asked);
}

const isNoSuchThing = (error: unknown): boolean => error instanceof AdsError && error.status === 404;

/**
 * Loads data, and polls it while the component is mounted.
 * @param about the dependencies of `load`
 * @param everyMs the polling interval; null to reload only if a dependency changes
 */
export function useLive<T>(
  load: () => Promise<T>,
  about: readonly unknown[],
  everyMs: number | null = EVERY_MS,
): Live<T> {
  const waiting = useContext(SessionContext)?.health.waiting;
  const [state, setState] = useState<Omit<Live<T>, 'again'>>({ value: null, problem: null, isMissing: false });
  const latest = useRef(0);
  const failures = useRef(0);
  const lastError = useRef<unknown>(null);

  const again = useCallback(async () => {
    const turn = ++latest.current;
    try {
      const value = await load();
      failures.current = 0;
      lastError.current = null;
      if (turn === latest.current) setState({ value, problem: null, isMissing: false });
    } catch (error) {
      failures.current++;
      lastError.current = error;
      const problem = isTrouble(error) ? null : toProblem(error);
      const isMissing = isNoSuchThing(error);
      if (turn === latest.current) setState(({ value }) => ({ value, problem, isMissing }));
    }
  }, about);

  useEffect(() => {
    let timer: number;
    let isOver = false;
    let isEnough = false;
    /** The service asked for no requests until this time, so a page that becomes visible waits too. */
    let refusedUntil = 0;
    const round = async () => {
      clearTimeout(timer);
      waiting?.add(round);
      await again();
      if (isOver) return;
      clearTimeout(timer);
      const error = lastError.current;
      if (error === null || !isTrouble(error)) waiting?.delete(round);
      isEnough = everyMs === null && (error === null || isNoSuchThing(error));
      if (isEnough) return;
      const pauseMs = pauseBeforeAsking(everyMs ?? EVERY_MS, document.hidden, failures.current, error);
      refusedUntil = error instanceof AdsError && error.status === 429 ? Date.now() + pauseMs : 0;
      timer = window.setTimeout(round, pauseMs);
    };
    const look = () => isEnough || document.hidden || Date.now() < refusedUntil || round();
    round();
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      isOver = true;
      waiting?.delete(round);
      latest.current++; // ignore responses that are still on their way
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [again, everyMs, waiting]);

  return { ...state, again };
}

/** An action of the visitor: whether it is in progress, and the API's error messages. @param changes whether it changes anything */
export function useAct(changes = true) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
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
      setProblem(toProblem(error, changes));
      setFaults(error instanceof AdsError ? toFaults(error.details) : {});
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, faults, setProblem, act };
}
