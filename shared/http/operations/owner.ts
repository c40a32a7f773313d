import { createMiddleware } from 'hono/factory';
import { createRateLimit } from '../../keys/rate-limit.ts';
import type { Effects } from '../../platform/effects.ts';
import type { OwnerEnv } from '../env.ts';
import { ownerRequired } from '../errors.ts';
import { explainMissingOwner } from '../missing-credential.ts';
import { getOwner } from '../owner.ts';
import { rateHeaders } from '../rate-limit.ts';
import { tooMany } from './api-key.ts';
import type { EndpointFor } from './rows.ts';

/** 1 to 128 printable ASCII characters without spaces (api 1.3). */
const OWNER_ID = /^[\x21-\x7e]{1,128}$/;

/** Identifies the user of a management request, and counts the request toward the user's limit per minute. @throws ApiError 401 or 429 */
export function requireOwner(effects: Effects, row: EndpointFor<'owner'>) {
  const { max, group } = row.limit;
  const limits = createRateLimit(effects);
  const { managementAuth } = effects.config;

  return createMiddleware<OwnerEnv>(async (c, next) => {
    const owner = getOwner(managementAuth, c.env.verified ?? {}, c.req.header('x-user-id') ?? null);
    // Behind an authorizer, x-user-id cannot name anyone but the verified user.
    if (!OWNER_ID.test(owner))
      throw ownerRequired(managementAuth === 'header' ? explainMissingOwner(c.req.raw) : undefined);
    const end = c.var.timings.begin('authenticate');
    const place = await limits.take(`${group} ${owner}`, max).finally(end);
    if (place.outcome === 'limited') throw tooMany(row, place.retryAfterMs);
    for (const [header, value] of Object.entries(rateHeaders(max, place.remaining, place.resetMs)))
      c.header(header, value);
    c.set('owner', owner);
    c.set('isCounted', true);
    c.var.timings.begin('act');
    await next();
  });
}
