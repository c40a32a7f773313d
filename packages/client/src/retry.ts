import type { AdsError } from './error.ts';
import type { AnyInput } from './request.ts';
import type { Route } from './routes.ts';

const FIRST_MS = 250;
const MOST_MS = 8_000;

/** Creations that honor an Idempotency-Key: the client makes one up, so that they can be sent again. */
export const keyedCreations: readonly string[] = [
  'POST /api/v1/campaigns',
  'POST /api/v1/auth/api-keys',
  'POST /api/v1/webhooks',
] satisfies Route[];

/**
 * Rotations that honor an Idempotency-Key, which has to be the caller's own: whoever sends one again has to expect a response without
 * the new secret.
 */
const keyedRotations: readonly string[] = [
  'POST /api/v1/auth/api-keys/{id}/rotate',
  'POST /api/v1/webhooks/{id}/rotate-secret',
] satisfies Route[];

/** Writes nothing. */
const PREVIEW: Route = 'POST /api/v1/campaigns/preview';
/** Counted once by its own id. */
const CONVERSION: Route = 'POST /api/v1/conversions';

/** A new Idempotency-Key. Not `crypto.randomUUID`, which a page without https lacks. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether a request may be sent again when nobody knows if it was carried out. */
export function isRepeatable(route: string, { body }: AnyInput, idempotencyKey: string | undefined): boolean {
  if (/^(GET|HEAD|PUT|DELETE) /.test(route) || route === PREVIEW) return true;
  if (route === CONVERSION) return typeof Object(body).conversionId === 'string';
  return idempotencyKey !== undefined && (keyedCreations.includes(route) || keyedRotations.includes(route));
}

/** Whether another attempt may fare better and does nothing twice: a request that was refused for its rate was not carried out. */
export const mayTryAgain = ({ code, status }: AdsError, repeatable: boolean): boolean =>
  code === 'rate_limited' || (repeatable && (code === 'network' || status >= 500));

/**
 * Milliseconds until the next attempt: random, up to a bound that doubles each time (full jitter, so that clients that failed together do
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
