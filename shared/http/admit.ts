import { fingerprint, isKey } from '../api-keys/key.ts';
import type { ApiKey, ApiKeyStore } from '../api-keys/store.ts';
import { LENGTH_MS, SIZE } from '../api-keys/window.ts';
import type { Endpoint } from '../endpoints.ts';
import { type ApiError, invalidKey, limited, userIdRequired } from './errors.ts';

/** Who may act, as the row's credential asks, and the rate headers that every response of the operation carries from here. */
export interface Admission {
  key?: ApiKey;
  user?: string;
  headers: Record<string, string>;
}

/** 1 to 128 printable ASCII characters without spaces (decisions, section 1). */
const USER_ID = /^[\x21-\x7e]{1,128}$/;

const rateHeaders = (remaining: number): Record<string, string> => ({
  'ratelimit-limit': String(SIZE),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(LENGTH_MS / 1000), // a sliding second: whatever was used is free again within it
});

/**
 * Checks the credential of a request and takes its place in the rate limit. What needs no store is refused at once, before
 * anything else is begun for the request. @throws ApiError 401 or 429, at once or from the promise
 */
export function admit(
  row: Endpoint,
  header: (name: string) => string | undefined,
  apiKeys: ApiKeyStore,
): Promise<Admission> {
  if (row.credential === 'user') {
    const user = header('x-user-id') ?? '';
    if (!USER_ID.test(user)) throw userIdRequired();
    return Promise.resolve({ user, headers: {} });
  }
  if (row.credential === 'key') {
    const secret = header('x-api-key') ?? '';
    if (!isKey(secret)) throw invalidKey();
    const id = fingerprint(secret);
    const knownFullMs = apiKeys.knownFullMs(id, row.window!);
    if (knownFullMs > 0) throw tooMany(row, knownFullMs);
    return useKey(row, id, apiKeys);
  }
  return Promise.resolve({ headers: {} });
}

async function useKey(row: Endpoint, id: string, apiKeys: ApiKeyStore): Promise<Admission> {
  const use = await apiKeys.use(id, row.window!);
  if (use.outcome === 'unknown') throw invalidKey();
  if (use.outcome === 'limited') throw tooMany(row, use.retryAfterMs);
  return { key: use.key, headers: rateHeaders(use.remaining) };
}

const tooMany = (row: Endpoint, retryAfterMs: number): ApiError =>
  limited(row.area, { ...rateHeaders(0), 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
