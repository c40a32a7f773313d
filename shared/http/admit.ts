import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { fingerprint, isKey } from '../api-keys/key.ts';
import type { ApiKey, ApiKeyStore } from '../api-keys/store.ts';
import type { Register } from '../api-keys/window.ts';
import type { Config } from '../config.ts';
import type { Endpoint } from '../endpoints.ts';
import type { LimitStore } from '../limits/store.ts';
import { absentEverywhere, absentKey, absentUser } from './absent.ts';
import { type ApiError, invalidKey, limited, userIdRequired } from './errors.ts';
import { userOf } from './user.ts';

/** Who may act, as the row's credential asks, and the rate headers that every response of the operation carries from here. */
export interface Admission {
  key?: ApiKey;
  user?: string;
  headers: Record<string, string>;
}

/** 1 to 128 printable ASCII characters without spaces (decisions, section 1). */
const USER_ID = /^[\x21-\x7e]{1,128}$/;

/** Where the limits are counted. */
export interface Limiters {
  apiKeys: ApiKeyStore;
  limits: LimitStore;
}

const rateHeaders = (most: number, remaining: number, resetMs: number): Record<string, string> => ({
  'ratelimit-limit': String(most),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': wholeSeconds(resetMs),
});

/** The rate headers of a response to somebody whom no window counts: one who was not admitted. */
export const idleHeaders = ({ limit }: Endpoint): Record<string, string> =>
  limit ? rateHeaders(limit.most, limit.most, 0) : {};

const wholeSeconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)));

/**
 * Checks the credential of a request and takes its place in the rate limit. What needs no store is refused at once, before
 * anything else is begun for the request. `auth` says who tells which user manages. @throws ApiError 401 or 429, at once or from the promise
 */
export function admit(
  row: Endpoint,
  event: APIGatewayProxyEventV2,
  auth: Config['managementAuth'],
  { apiKeys, limits }: Limiters,
): Promise<Admission> {
  const { credential, limit } = row;
  if (credential === 'user') {
    const user = userOf(auth, event, event.headers['x-user-id']);
    // Where the gateway says who manages, no header that is sent makes somebody of nobody.
    if (!USER_ID.test(user)) throw userIdRequired(auth === 'header' ? absentUser(event) : undefined);
    return countUser(row, user, limits);
  }
  if (credential === 'key' && limit && 'register' in limit) {
    const secret = event.headers['x-api-key'] ?? '';
    if (!isKey(secret)) throw invalidKey(absentKey(event));
    const id = fingerprint(secret);
    const waitMs = apiKeys.knownFullMs(id, limit.register);
    if (waitMs > 0) throw tooMany(row, waitMs);
    return useKey(row, id, limit.register, apiKeys);
  }
  if (credential === 'any-key') {
    const secret = keyAnywhere(event);
    if (!isKey(secret)) throw invalidKey(absentEverywhere(event));
    return countKey(row, fingerprint(secret), apiKeys, limits);
  }
  return Promise.resolve({ headers: {} });
}

/** The three places of the legacy API (contract, section 5); any one will do, so what is no key in one of them hides none in the next. */
const keyAnywhere = ({ headers, rawQueryString }: APIGatewayProxyEventV2): string =>
  [
    /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1],
    headers['x-api-key'],
    new URLSearchParams(rawQueryString).get('api_key'),
  ].find((place) => place && isKey(place)) ?? '';

/** Limits first: what is refused for its rate does not count as a use of the key. */
async function countKey(row: Endpoint, id: string, apiKeys: ApiKeyStore, limits: LimitStore): Promise<Admission> {
  const counted = await count(row, id, limits);
  const key = await apiKeys.authenticate(id);
  if (!key) throw invalidKey();
  return { key, headers: counted };
}

const countUser = async (row: Endpoint, user: string, limits: LimitStore): Promise<Admission> => ({
  user,
  headers: await count(row, user, limits),
});

/** Takes a place in the minute of a user or key; gives the rate headers. */
async function count(row: Endpoint, subject: string, limits: LimitStore): Promise<Record<string, string>> {
  if (!row.limit || !('group' in row.limit)) return {};
  const { most, group } = row.limit;
  const place = await limits.take(`${group} ${subject}`, most);
  if (place.outcome === 'limited') throw tooMany(row, place.retryAfterMs);
  return rateHeaders(most, place.remaining, place.resetMs);
}

async function useKey(row: Endpoint, id: string, register: Register, apiKeys: ApiKeyStore): Promise<Admission> {
  const use = await apiKeys.use(id, register);
  if (use.outcome === 'unknown') throw invalidKey();
  if (use.outcome === 'limited') throw tooMany(row, use.retryAfterMs);
  return { key: use.key, headers: rateHeaders(row.limit!.most, use.remaining, use.resetMs) };
}

const tooMany = (row: Endpoint, retryAfterMs: number): ApiError =>
  limited(row.area, {
    ...rateHeaders(row.limit!.most, 0, retryAfterMs),
    'retry-after': wholeSeconds(retryAfterMs),
  });
