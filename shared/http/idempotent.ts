import { type Alongside, findRecord, type Repeatable, repeatable, repeatRecord } from '../idempotency/record.ts';
import type { EndpointName } from '../operations/endpoints.ts';
import type { Effects } from '../platform/effects.ts';
import { invalid, notFound, unavailable, usedKey, usedKeyElsewhere } from './errors.ts';
import type { Answer } from './response.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

interface KeyedRequest {
  owner: string;
  /** The variables of the path, which name what is rotated; the path of a create has none. */
  params: unknown;
  body: unknown;
  header(name: string): string | undefined;
}

interface Steps {
  /** Carries it out, with what is written alongside; undefined where that was refused: then nothing was done. @throws ApiError */
  make(alongside: Alongside): Promise<Answer | undefined>;
  /** Answers a repeat with what was made or rotated, as it is now and without its secret; undefined where it is gone. */
  repeat(id: string): Promise<Answer | undefined>;
  /** What a 404 says is gone. */
  gone: string;
}

/**
 * A create or rotation that happens once for each Idempotency-Key of a user (api 1.7): a repeat answers what the first one made, without
 * its secret. Only what was done is kept: its record is part of the transaction that does it.
 */
export async function idempotent(
  effects: Pick<Effects, 'db' | 'clock'>,
  operation: EndpointName,
  { owner, params, body, header }: KeyedRequest,
  { make, repeat, gone }: Steps,
): Promise<Answer> {
  const ids = Object.values(params ?? {});
  // A key that comes again for another id is as wrong as one that comes with another body.
  const asked = ids.length > 0 ? { params, body } : body;
  const request = requestOf(operation, owner, asked, header('idempotency-key'));
  if (!request) return (await make(() => [])) ?? Promise.reject(unavailable());
  for (let tries = 0; tries < 2; tries++) {
    const known = await findRecord(effects, request);
    if (known) {
      if (known.body !== request.body)
        throw ids.length === 0 || ids.includes(known.made) ? usedKey() : usedKeyElsewhere();
      const repeated = await repeat(known.made);
      if (!repeated) throw notFound('management', gone);
      return { ...repeated, headers: { 'idempotency-replayed': 'true' } };
    }
    const answer = await make((made) => [repeatRecord(request, made, effects.clock.now())]);
    if (answer) return answer;
  }
  throw unavailable();
}

/** @throws ApiError 400 for a key that is none */
function requestOf(operation: string, owner: string, body: unknown, key: string | undefined): Repeatable | undefined {
  if (key === undefined) return undefined;
  if (KEY.test(key)) return repeatable(owner, operation, key, body);
  throw invalid('management', [
    { path: 'Idempotency-Key', message: 'Idempotency-Key must have 1 to 255 visible ASCII characters' },
  ]);
}
