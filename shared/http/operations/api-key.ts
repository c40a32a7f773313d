import { createMiddleware } from 'hono/factory';
import type { ApiKey } from '../../keys/api-key.ts';
import { type Credential, isKey, parseCredential } from '../../keys/credential.ts';
import { createNoBidCounter } from '../../keys/no-bid-counts.ts';
import { createRateLimit } from '../../keys/rate-limit.ts';
import { createExchangeLimit, createKeyUsage, type KeyUse } from '../../keys/use-key.ts';
import type { Effects } from '../../platform/effects.ts';
import { runUntil } from '../deadline.ts';
import type { AppEnv, NoBid, RequestContext } from '../env.ts';
import { type ApiError, invalidKey, limited } from '../errors.ts';
import { explainMissingKey, explainMissingLegacyKey } from '../missing-credential.ts';
import { rateHeaders, secondsToWait, withSettings } from '../rate-limit.ts';
import type { Endpoint, EndpointFor } from './rows.ts';

/** A constant count, or a function of the body. */
type RequestCount = number | ((json: unknown) => number);

/** @template P result of the preload, which runs in parallel with the key's own write */
type KeyEnv<P = undefined> = AppEnv & { Variables: { key: ApiKey; noBid: NoBid; preloaded: Promise<P> } };

interface KeyOptions<P> {
  /** Number of ads that a request asks for. Default 0. */
  adsAsked?: RequestCount;
  /** Number of rate-limit places that a request takes. Default 1. */
  limitCost?: RequestCount;
  /** Deadline requested by the body (OpenRTB tmax), epoch milliseconds; Infinity without one. The operation's own deadline also applies. */
  getDeadline?(json: unknown, startedAt: number): number;
  /** Reads data in parallel with the key's own write, before the key is known to be valid. */
  preload?(c: RequestContext, keyId: string): Promise<P>;
}

/** Authenticates by X-API-Key and takes places in the key's second, in one write. @throws ApiError 401 or 429 */
export function apiKey<P = undefined>(effects: Effects, given: EndpointFor<'key'>, options: KeyOptions<P> = {}) {
  const row = withSettings(given, effects.config);
  const { max } = row.limit;
  const usage = createKeyUsage(effects);
  const takeExchangePlaces = createExchangeLimit(effects);

  /** @throws ApiError if this instance already knows that the window is full */
  async function use(c: RequestContext, credential: Credential, asked: number): Promise<KeyUse> {
    const { limit } = row;
    if ('second' in limit) return takeExchangePlaces(credential, await countIn(options.limitCost ?? 1, c), asked, max);
    const waitMs = usage.knownFullMs(credential.keyId, limit.register);
    if (waitMs > 0) throw await refuseFull(row, usage, credential, waitMs);
    return usage.use(credential, limit.register, asked);
  }

  return withKey(effects, options, {
    find: (c) => c.req.header('x-api-key') ?? '',
    absent: explainMissingKey,
    async use(c, credential, asked) {
      const used = await use(c, credential, asked);
      if (used.outcome === 'unknown') throw invalidKey();
      if (used.outcome === 'limited') throw tooMany(row, used.retryAfterMs);
      return { key: used.key, headers: rateHeaders(max, used.remaining, used.resetMs) };
    },
  });
}

/** Authenticates by a key in any of the legacy API's three places, and takes a place in the key's minute. @throws ApiError 401 or 429 */
export function legacyKey<P = undefined>(effects: Effects, row: EndpointFor<'any-key'>, options: KeyOptions<P> = {}) {
  const { max, group } = row.limit;
  const usage = createKeyUsage(effects);
  const limits = createRateLimit(effects);

  return withKey(effects, options, {
    find: keyAnywhere,
    absent: explainMissingLegacyKey,
    // Check the limit first: a rate-limited request must not count as a use of the key.
    async use(_, credential, asked) {
      const place = await limits.take(`${group} ${credential.keyId}`, max);
      if (place.outcome === 'limited') throw await refuseFull(row, usage, credential, place.retryAfterMs);
      const key = await usage.authenticate(credential, asked);
      if (!key) throw invalidKey();
      return { key, headers: rateHeaders(max, place.remaining, place.resetMs) };
    },
  });
}

type ApiKeyUse = { key: KeyEnv['Variables']['key']; headers: Record<string, string> };

interface KeyUser {
  /** The key from the request; empty if absent. */
  find(c: RequestContext): string;
  /** Explains which header is missing if the request has no key. */
  absent: typeof explainMissingKey;
  /** Counts the request. @throws ApiError 401 or 429 */
  use(c: RequestContext, credential: Credential, asked: number): Promise<ApiKeyUse>;
}

/** The steps that both kinds of keys share. */
function withKey<P>(
  effects: Effects,
  { adsAsked = 0, getDeadline, preload }: KeyOptions<P>,
  { find, absent, use }: KeyUser,
) {
  const noBids = createNoBidCounter(effects);

  return createMiddleware<KeyEnv<P>>(async (c, next) => {
    const secret = find(c);
    if (!isKey(secret)) throw invalidKey(absent(c.req.raw));
    const credential = parseCredential(secret);
    // Test mode counts nothing.
    const asked = credential.mode === 'test' ? 0 : await countIn(adsAsked, c);
    const using = timed(c, 'authenticate', use(c, credential, asked));
    const noteNoBid = noBids.recorderFor(
      using.then(
        ({ key }) => key,
        () => undefined,
      ),
    );
    c.set('noBid', (reason, details) => {
      // After the deadline, only the timeout itself is counted.
      if (reason === 'late' || !c.var.isTimedOut()) noteNoBid(reason, details);
    });
    if (preload) c.set('preloaded', timed(c, 'preload', preload(c, credential.keyId)));
    const flushing = noBids.flush(credential.keyId);
    const act = async () => {
      const { key, headers } = await using;
      for (const [header, value] of Object.entries(headers)) c.header(header, value);
      c.set('key', key);
      c.set('isCounted', true);
      c.var.timings.begin('act');
      await next();
      await flushing;
    };
    const endsAt = getDeadline ? getDeadline(await readJson(c), c.var.startedAt) : Number.POSITIVE_INFINITY;
    if (endsAt >= c.var.deadline) return act();
    c.set('deadline', endsAt);
    await runUntil(effects.clock, endsAt, act);
  });
}

/** Times the work for X-Debug. Also avoids an unhandled rejection: the request may be refused before anything awaits it. */
function timed<T>(c: RequestContext, phase: string, work: Promise<T>): Promise<T> {
  const end = c.var.timings.begin(phase);
  work.then(end, end);
  return work;
}

/** An unreadable body counts as one; validation refuses it later. */
const countIn = async (count: RequestCount, c: RequestContext): Promise<number> =>
  typeof count === 'number' ? count : c.req.json().then(count, () => 1);

const readJson = (c: RequestContext): Promise<unknown> => c.req.json().catch(() => null);

/** Finds the key in the three places of the legacy API (api 1.3). Skips a place whose value is not a key. */
const keyAnywhere = ({ req }: RequestContext): string =>
  [/^Bearer +(\S+)$/i.exec(req.header('authorization') ?? '')?.[1], req.header('x-api-key'), req.query('api_key')].find(
    (place) => place && isKey(place),
  ) ?? '';

/** A deleted key gets 401 even while its window is full; only a live key gets 429. */
const refuseFull = async (
  row: Endpoint,
  usage: ReturnType<typeof createKeyUsage>,
  credential: Credential,
  waitMs: number,
): Promise<ApiError> => ((await usage.isAccepted(credential)) ? tooMany(row, waitMs) : invalidKey());

/** 429 with the headers of a full window. */
export const tooMany = ({ area, limit }: Endpoint, waitMs: number): ApiError =>
  limited(area, { ...rateHeaders(limit?.max ?? 0, 0, waitMs), 'retry-after': secondsToWait(waitMs) });
