import type { AdsError } from './error.ts';

const FIRST_MS = 250;
const MOST_MS = 8_000;

/** What may be sent twice and is done once: by its method, or because the service knows the key of a repeat. */
export const isRepeatable = (method: string, idempotencyKey: string | undefined): boolean =>
  ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || (method === 'POST' && idempotencyKey !== undefined);

/** Whether another attempt may fare better. */
export const isPassing = ({ code, status }: AdsError): boolean =>
  code === 'network' || code === 'rate_limited' || status >= 500;

/**
 * Milliseconds until the next attempt: somewhere up to twice the last bound (full jitter, so that many who failed together do
 * not come back together), and never before the service wants to be asked again.
 * @param attempt how many have failed
 */
export function pauseBefore(attempt: number, { retryAfter }: AdsError, random: () => number): number {
  const jitter = random() * Math.min(MOST_MS, FIRST_MS * 2 ** (attempt - 1));
  return retryAfter === null ? jitter : retryAfter * 1000 + jitter;
}

/** @throws what the signal was aborted with */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
