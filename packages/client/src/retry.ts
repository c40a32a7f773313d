import type { AdsError } from './error.ts';
import type { AnyInput } from './request.ts';
import type { Route } from './routes.ts';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;

/** Creations that honor an Idempotency-Key: the client generates one, which makes a retry safe. */
export const keyedCreations: readonly string[] = [
  'POST /api/v1/campaigns',
  'POST /api/v1/auth/api-keys',
  'POST /api/v1/webhooks',
] satisfies Route[];

/** Rotations that honor an Idempotency-Key. The client generates none: only a caller with its own key expects a repeat without a secret. */
const keyedRotations: readonly string[] = [
  'POST /api/v1/auth/api-keys/{id}/rotate',
  'POST /api/v1/webhooks/{id}/rotate-secret',
] satisfies Route[];

/** Write nothing, or only the time of the last test. */
const PREVIEW: Route = 'POST /api/v1/campaigns/preview';
const TEST_CONVERSION: Route = 'POST /api/v1/conversions/test';
/** Deduplicated by ID. */
const CONVERSION: Route = 'POST /api/v1/conversions';

/** A new Idempotency-Key. Pages without HTTPS lack `crypto.randomUUID`. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether a request is safe to repeat if its first attempt may have taken effect. */
export function isRepeatable(route: string, { body }: AnyInput, idempotencyKey: string | undefined): boolean {
  if (/^(GET|HEAD|PUT|DELETE) /.test(route) || route === PREVIEW || route === TEST_CONVERSION) return true;
  if (route === CONVERSION) return typeof Object(body).conversionId === 'string';
  return idempotencyKey !== undefined && (keyedCreations.includes(route) || keyedRotations.includes(route));
}

/** Whether a retry is useful and safe. A rate-limited request had no effect, so a retry is always safe. */
export const mayTryAgain = ({ code, status }: AdsError, repeatable: boolean): boolean =>
  code === 'rate_limited' || (repeatable && (code === 'network' || status >= 500));

/**
 * Milliseconds until the next attempt: random, up to a bound that doubles with each attempt (full jitter, which spreads
 * out clients that failed together), and never shorter than Retry-After.
 * @param attempt number of failed attempts
 */
export function pauseBefore(attempt: number, { retryAfter }: AdsError, random: () => number): number {
  const jitter = random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return retryAfter === null ? jitter : retryAfter * 1000 + jitter;
}

/** @throws the signal's reason if it is aborted */
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
