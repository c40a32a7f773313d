import type { Context } from 'hono';
import type { Effects } from '../platform/effects.ts';
import { type Alongside, findRecord, type Repeatable, repeatable, repeatRecord } from '../platform/idempotency.ts';
import type { OwnerEnv } from './env.ts';
import { invalid, notFound, unavailable, usedKey, usedKeyElsewhere } from './errors.ts';
import type { EndpointName } from './operations/endpoints.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

interface Steps {
  /**
   * Does the work and returns the response body. `alongside` adds the idempotency record to its transaction. Returns undefined, with
   * nothing done, if such a record exists already. @throws ApiError
   */
  make(alongside: Alongside): Promise<object | undefined>;
  /** The body for a repeat: the current state of what was made or rotated, without its secret; undefined if it was deleted. */
  repeat(id: string): Promise<object | undefined>;
  /** Message of the 404 if the created resource was deleted in the meantime. */
  gone: string;
  /** 201 for a create, 200 for a rotation. */
  status: 200 | 201;
}

/**
 * Does a create or rotation once per user and Idempotency-Key (api 1.7). A repeat returns what the first request made, without its
 * secret. Only successes are recorded, because the record is part of the transaction that does the work.
 * @param body the validated body
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
  // The same key for another id must be refused like the same key with another body.
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
