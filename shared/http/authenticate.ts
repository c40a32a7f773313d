import type { ApiKey } from '../api-keys/api-key.ts';
import type { ExchangeLimit } from '../api-keys/exchange-limit.ts';
import { type Credential, credentialOf, isKey } from '../api-keys/key.ts';
import type { KeyUsage, KeyUse } from '../api-keys/usage.ts';
import type { LimitStore, WindowCount } from '../limits/store.ts';
import type { Endpoint } from '../operations/rows.ts';
import type { Config } from '../platform/config.ts';
import { absentEverywhere, absentKey, absentOwner } from './absent.ts';
import { type ApiError, invalidKey, limited, ownerRequired } from './errors.ts';
import type { HttpRequest } from './operation.ts';
import { ownerOf, type Verified } from './owner.ts';

/** Who may act, as the row's credential asks, and the rate headers that every response of the operation carries from here. */
export interface Authenticated {
  key?: ApiKey;
  owner?: string;
  headers: Record<string, string>;
}

/** 1 to 128 printable ASCII characters without spaces (api 1.3). */
const OWNER_ID = /^[\x21-\x7e]{1,128}$/;

type Accepted = Extract<WindowCount, { outcome: 'accepted' }>;

/** Where the limits are counted. */
interface Limiters {
  apiKeys: KeyUsage;
  limits: LimitStore;
  useSecond: ExchangeLimit;
}

/** How much of its limit a request takes, and for how many ads it asks. */
interface Wanted {
  limitCost(): Promise<number>;
  adsAsked(): Promise<number>;
}

const rateHeaders = (most: number, remaining: number, resetMs: number): Record<string, string> => ({
  'ratelimit-limit': String(most),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': secondsToWait(resetMs),
});

/** The rate headers of a response to somebody whom no window counts: one who was not authenticated. */
export const idleHeaders = ({ limit }: Endpoint): Record<string, string> =>
  limit ? rateHeaders(limit.most, limit.most, 0) : {};

const secondsToWait = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)));

/**
 * Checks the credential of a request and takes its place in the rate limit. What can be refused without a write is refused before
 * this resolves, and so before anything else is begun for the request; the rest comes from `authenticated`.
 * `auth` says who tells which owner manages; `keyId` is the key that the request names, empty where it needs none. @throws ApiError 401 or 429, from either promise
 */
export async function authenticate(
  row: Endpoint,
  request: HttpRequest,
  verified: Verified,
  auth: Config['managementAuth'],
  { apiKeys, limits, useSecond }: Limiters,
  wanted: Wanted,
): Promise<{ authenticated: Promise<Authenticated>; keyId: string }> {
  const { credential, limit } = row;
  if (credential === 'owner') {
    const owner = ownerOf(auth, verified, request.headers.get('x-user-id'));
    // Where the gateway says who manages, no header that is sent makes somebody of nobody.
    if (!OWNER_ID.test(owner)) throw ownerRequired(auth === 'header' ? absentOwner(request) : undefined);
    return { authenticated: countOwner(row, owner, limits), keyId: '' };
  }
  if (credential === 'key' && limit && !('group' in limit)) {
    const secret = request.headers.get('x-api-key') ?? '';
    if (!isKey(secret)) throw invalidKey(absentKey(request));
    const credential = credentialOf(secret);
    const { keyId } = credential;
    if ('second' in limit) {
      const [cost, asked] = await Promise.all([wanted.limitCost(), askedBy(credential, wanted)]);
      return { authenticated: answerUse(row, useSecond(credential, cost, asked, limit.most)), keyId };
    }
    const waitMs = apiKeys.knownFullMs(keyId, limit.register);
    if (waitMs > 0) throw await refusalOf(row, credential, waitMs, apiKeys);
    const used = apiKeys.use(credential, limit.register, await askedBy(credential, wanted));
    return { authenticated: answerUse(row, used), keyId };
  }
  if (credential === 'any-key') {
    const secret = keyAnywhere(request);
    if (!isKey(secret)) throw invalidKey(absentEverywhere(request));
    const credential = credentialOf(secret);
    const authenticated = countKeyUse(row, credential, apiKeys, limits, await askedBy(credential, wanted));
    return { authenticated, keyId: credential.keyId };
  }
  return { authenticated: Promise.resolve({ headers: {} }), keyId: '' };
}

/** A full window is the answer to a key that is still one: who has deleted it is to see that it is gone. */
const refusalOf = async (
  row: Endpoint,
  credential: Credential,
  waitMs: number,
  apiKeys: KeyUsage,
): Promise<ApiError> => ((await apiKeys.isAccepted(credential)) ? tooMany(row, waitMs) : invalidKey());

/** Test mode counts nothing. */
const askedBy = async ({ mode }: Credential, { adsAsked }: Wanted): Promise<number> =>
  mode === 'test' ? 0 : adsAsked();

/** The three places of the legacy API (api 1.3); any one will do, so what is no key in one of them hides none in the next. */
const keyAnywhere = ({ headers, url }: HttpRequest): string =>
  [
    /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1],
    headers.get('x-api-key'),
    new URL(url).searchParams.get('api_key'),
  ].find((place) => place && isKey(place)) ?? '';

/** Limits first: what is refused for its rate does not count as a use of the key. */
async function countKeyUse(
  row: Endpoint,
  credential: Credential,
  apiKeys: KeyUsage,
  limits: LimitStore,
  asked: number,
): Promise<Authenticated> {
  const place = await countRequest(row, credential.keyId, limits);
  if (place?.outcome === 'limited') throw await refusalOf(row, credential, place.retryAfterMs, apiKeys);
  const key = await apiKeys.authenticate(credential, asked);
  if (!key) throw invalidKey();
  return { key, headers: headersOf(row, place) };
}

async function countOwner(row: Endpoint, owner: string, limits: LimitStore): Promise<Authenticated> {
  const place = await countRequest(row, owner, limits);
  if (place?.outcome === 'limited') throw tooMany(row, place.retryAfterMs);
  return { owner, headers: headersOf(row, place) };
}

/** A place in the minute of an owner or key; undefined where none is counted. */
const countRequest = async (
  { limit }: Endpoint,
  subject: string,
  limits: LimitStore,
): Promise<WindowCount | undefined> =>
  limit && 'group' in limit ? limits.take(`${limit.group} ${subject}`, limit.most) : undefined;

const headersOf = ({ limit }: Endpoint, place: Accepted | undefined): Record<string, string> =>
  limit && place ? rateHeaders(limit.most, place.remaining, place.resetMs) : {};

async function answerUse(row: Endpoint, used: Promise<KeyUse>): Promise<Authenticated> {
  const use = await used;
  if (use.outcome === 'unknown') throw invalidKey();
  if (use.outcome === 'limited') throw tooMany(row, use.retryAfterMs);
  return { key: use.key, headers: rateHeaders(row.limit!.most, use.remaining, use.resetMs) };
}

const tooMany = (row: Endpoint, retryAfterMs: number): ApiError =>
  limited(row.area, {
    ...rateHeaders(row.limit!.most, 0, retryAfterMs),
    'retry-after': secondsToWait(retryAfterMs),
  });
