import { type Alongside, findRecord, type Repeatable, repeatable, repeatRecord } from '../idempotency/record.ts';
import type { EndpointName } from '../operations/endpoints.ts';
import type { Effects } from '../platform/effects.ts';
import { invalid, notFound, unavailable, usedKey } from './errors.ts';
import { type Answer, created } from './response.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** What is asked of a create. */
interface RequestedCreate {
  owner: string;
  body: unknown;
  header(name: string): string | undefined;
}

interface Steps {
  /** Makes it, with what is written alongside; undefined where that was refused: then nothing was made. @throws ApiError */
  make(alongside: Alongside): Promise<Answer | undefined>;
  /** What was made, as it is now and without its secret; undefined where it is gone. */
  find(id: string): Promise<unknown>;
  /** What a 404 says is gone. */
  gone: string;
}

/**
 * A create that happens once for each Idempotency-Key of a user (api 1.7): a repeat answers what the first one made. Only what was
 * made is kept: its record is part of the transaction that makes it.
 */
export async function idempotent(
  effects: Pick<Effects, 'db' | 'clock'>,
  operation: EndpointName,
  { owner, body, header }: RequestedCreate,
  { make, find, gone }: Steps,
): Promise<Answer> {
  const request = requestOf(operation, owner, body, header('idempotency-key'));
  if (!request) return (await make(() => [])) ?? Promise.reject(unavailable());
  for (let tries = 0; tries < 2; tries++) {
    const known = await findRecord(effects, request);
    if (known) {
      if (known.body !== request.body) throw usedKey();
      const made = await find(known.made);
      if (!made) throw notFound('management', gone);
      return { ...created(made), headers: { 'idempotency-replayed': 'true' } };
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
