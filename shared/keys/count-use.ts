import { isoTime, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Values } from '../platform/expressions.ts';
import type { Item } from '../platform/items.ts';
import { acceptedNames, acceptedValues, accepts, isAccepted } from './accepted.ts';
import { keyDayRow } from './day.ts';
import type { Credential } from './key.ts';

/** A part of the one write that counts a use of a key: what is in its expressions, and what they speak of. */
interface UsePart {
  /** After other assignments, and after other additions, each with its comma. */
  set: string;
  add: string;
  /** After other conditions, with its AND. */
  when: string;
  values: Values;
}

const NOTHING: UsePart = { set: '', add: '', when: '', values: {} };

/** Days go forward alone: a clock that is behind meets the day that has begun. */
const goOn = (asked: number, today: string): UsePart => ({
  set: '',
  add: ', #dayRequests :asked',
  when: ' AND #day >= :today',
  values: { asked, today },
});

/** The day before is left behind as it was read, and so kept in its row: the condition settles the race with whoever still adds to it. */
const begin = (asked: number, today: string, { day, dayRequests }: Item<'api-keys'>): UsePart => ({
  set: ', #day = :today, #dayRequests = :asked',
  add: '',
  when: day ? ' AND #day = :before AND #dayRequests = :counted' : ' AND attribute_not_exists(#day)',
  values: { asked, today, ...(day && { before: day, counted: dayRequests }) },
});

type Use = { ok: true; item: Item<'api-keys'> } | { ok: false; old?: Item<'api-keys'> };

/**
 * Authenticates and counts a use of a key in one conditional write, on its day. @param asked for how many ads @param taken what the write
 * takes of a limit besides
 *
 * The first use of a day finds the day before in the item: it keeps that in a row of its own and begins the day. That row is written before
 * the day is left behind, so that no crash loses it.
 */
export async function countUse(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  credential: Credential,
  asked: number,
  now: number,
  taken: Partial<UsePart> = {},
): Promise<Use> {
  const attempt = (day: UsePart): Promise<Use> =>
    db.write(writeOf(credential, now, [{ ...NOTHING, ...taken }, day]), 'new');
  if (asked === 0) return attempt(NOTHING);
  const today = utcDay(clock.now());
  let day = goOn(asked, today);
  let before: Item<'api-keys'> | undefined;
  for (;;) {
    const written = await attempt(day);
    if (written.ok || !accepts(written.old, credential, clock.now())) return written;
    const old = written.old!;
    const hasBegun = old.day !== undefined && old.day >= today;
    // Refused though the day was as the write would have it: for something else.
    const isAsRead = before && before.day === old.day && before.dayRequests === old.dayRequests;
    if (hasBegun ? !before : isAsRead) return written;
    if (!hasBegun) await keepDay({ db }, old);
    before = hasBegun ? undefined : old;
    day = hasBegun ? goOn(asked, today) : begin(asked, today, old);
  }
}

const writeOf = (credential: Credential, now: number, parts: readonly UsePart[]) => {
  const all = (field: 'set' | 'add' | 'when') => parts.map((part) => part[field]).join('');
  return {
    table: 'api-keys',
    key: { id: credential.keyId },
    update: `SET #lastUsedAt = :time${all('set')} ADD #requestCount :one${all('add')}`,
    when: isAccepted(credential) + all('when'),
    names: acceptedNames(credential),
    once: true, // the last place taken by an attempt whose answer was lost is not a full limit
    values: Object.assign(
      { ...acceptedValues(credential, now), time: isoTime(now), one: 1 },
      ...parts.map(({ values }) => values),
    ),
  } satisfies Write<'api-keys'>;
};

/** The condition settles the race of instances that have read different counts of a day: counts grow, the last one is the greatest. */
async function keepDay({ db }: Pick<Effects, 'db'>, { id, day, dayRequests = 0 }: Item<'api-keys'>): Promise<void> {
  if (!day || dayRequests === 0) return;
  const { set, ...row } = keyDayRow(id, day);
  await db.write({
    ...row,
    update: 'SET #requests = :requests, #ttl = :ttl',
    when: 'attribute_not_exists(#requests) OR #requests < :requests',
    values: { requests: dayRequests, ...set },
  });
}
