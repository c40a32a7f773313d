import type { Context } from 'hono';
import type { Effects } from '../platform/effects.ts';
import { type Alongside, findRecord, type Repeatable, repeatable, repeatRecord } from '../platform/idempotency.ts';
import type { OwnerEnv } from './env.ts';
import { invalid, notFound, unavailable, usedKey, usedKeyElsewhere } from './errors.ts';
import type { EndpointName } from './operations/endpoints.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

interface Steps {
  /** Carries it out and returns the body, with what is written alongside; undefined where a record was there already: then nothing was done. @throws ApiError */
  make(alongside: Alongside): Promise<object | undefined>;
  /** The body that answers a repeat: what was made or rotated, as it is now and without its secret; undefined where it is gone. */
  repeat(id: string): Promise<object | undefined>;
  /** What a 404 says is gone. */
  gone: string;
  /** 201 for a create, 200 for a rotation. */
  status: 200 | 201;
}

/**
 * Does a create or rotation once for each Idempotency-Key of a user (api 1.7). A repeat answers what the first request made, without
 * its secret. Only successes are kept: the record is part of the transaction that does the work.
 * @param body as it was validated
 */
export async function answerOnce(
  c: Context<OwnerEnv>,
  effects: Pick<Effects, 'db' | 'clock'>,
  operation: EndpointName,
  body: unknown,
  { make, repeat, gone, status }: Steps,
): Promise<Response> {
  const params = c.req.param();
  const ids = Object.values(params);
  // The same key for another id is as wrong as the same key with another body.
  const asked = ids.length > 0 ? { params, body } : body;
  const request = readKey(operation, c.var.owner, asked, c.req.header('idempotency-key'));
  if (!request) return c.json((await make(() => [])) ?? (await Promise.reject(unavailable())), status);
  for (let tries = 0; tries < 2; tries++) {
    const known = await findRecord(effects, request);
    if (known) {
      if (known.body !== request.body)
        throw ids.length === 0 || ids.includes(known.made) ? usedKey() : usedKeyElsewhere();
      const repeated = await repeat(known.made);
      if (!repeated) throw notFound('management', gone);
      return c.json(repeated, status, { 'idempotency-replayed': 'true' });
    }
    const made = await make((id) => [repeatRecord(request, id, effects.clock.now())]);
    if (made) return c.json(made, status);
  }
  throw unavailable();
}

/** @throws ApiError 400 for a malformed key */
function readKey(operation: string, owner: string, body: unknown, key: string | undefined): Repeatable | undefined {
  if (key === undefined) return undefined;
  if (KEY.test(key)) return repeatable(owner, operation, key, body);
  throw invalid('management', [
    { path: 'Idempotency-Key', message: 'Idempotency-Key must have 1 to 255 visible ASCII characters' },
  ]);
}
