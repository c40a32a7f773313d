import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { type Faults, faultsOf, isTrouble, problemOf } from '../errors.ts';
import { SessionContext } from '../session.ts';

const EVERY_MS = 10_000;
const LONGEST_MS = 120_000;
/** How much more seldom a page asks that nobody looks at. */
const HIDDEN_FACTOR = 6;

export interface Live<T> {
  /** Null until it has come for the first time. */
  value: T | null;
  /** What the service refuses; trouble of the service itself is told by the banner. */
  problem: string | null;
  /** Whether the last answer was that there is no such thing. */
  isMissing: boolean;
  again(): Promise<void>;
}

/** How long to wait before asking again: longer after each failure, and at least as long as a refusal asks for. */
function pauseBeforeAsking(everyMs: number, isHidden: boolean, failures: number, error: unknown): number {
  const usual = Math.min(LONGEST_MS, everyMs * (isHidden ? HIDDEN_FACTOR : 1) * 2 ** failures);
  const asked = error instanceof AdsError && error.retryAfter ? error.retryAfter * 1000 : 0;
  return Math.max(usual, asked);
}

const isNoSuchThing = (error: unknown): boolean => error instanceof AdsError && error.status === 404;

/**
 * What `load` brings, asked for again while it is on the page.
 * @param about what `load` depends on
 * @param everyMs null where one answer is enough until what it depends on changes
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
      const problem = isTrouble(error) ? null : problemOf(error);
      const isMissing = isNoSuchThing(error);
      if (turn === latest.current) setState(({ value }) => ({ value, problem, isMissing }));
    }
  }, about);

  useEffect(() => {
    let timer: number;
    let isOver = false;
    let isEnough = false;
    /** Until when the service wants to hear nothing, whoever looks at the page meanwhile. */
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
      latest.current++; // what is still under way comes too late
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [again, everyMs, waiting]);

  return { ...state, again };
}

/** Something that the visitor does: whether it is under way, what the API refused, and which fields. @param changes whether it changes anything */
export function useAct(changes = true) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const isUnderWay = useRef(false);
  /** Resolves to whether it was done. What is under way is not begun again: its button stays in reach of the keyboard meanwhile. */
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
      setProblem(problemOf(error, changes));
      setFaults(error instanceof AdsError ? faultsOf(error.details) : {});
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, faults, setProblem, act };
}
