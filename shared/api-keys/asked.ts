import { utcDay } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Values } from '../platform/expressions.ts';
import type { Item } from '../platform/items.ts';
import { accepts } from './accepted.ts';
import { keyDayRow } from './day.ts';
import type { Credential } from './key.ts';

/** What a write of a key's item does to count how many ads are asked for on a UTC day: parts of its expressions, and what they speak of. */
export interface DayCount {
  /** After other assignments, and after other additions. */
  set: string;
  add: string;
  when: string;
  values: Values;
}

const NOTHING: DayCount = { set: '', add: '', when: '', values: {} };

/** Days go forward alone: a clock that is behind meets the day that has begun. */
const goOn = (asked: number, today: string): DayCount => ({
  set: '',
  add: ', #dayRequests :asked',
  when: ' AND #day >= :today',
  values: { asked, today },
});

/** The day before is left behind as it was read, and so kept in its row: the condition settles the race with whoever still adds to it. */
const begin = (asked: number, today: string, { day, dayRequests }: Item<'api-keys'>): DayCount => ({
  set: ', #day = :today, #dayRequests = :asked',
  add: '',
  when: day ? ' AND #day = :before AND #dayRequests = :counted' : ' AND attribute_not_exists(#day)',
  values: { asked, today, ...(day && { before: day, counted: dayRequests }) },
});

type Attempt = { ok: true; item: Item<'api-keys'> } | { ok: false; old?: Item<'api-keys'> };

/**
 * Has a write of a key's item count what is asked for, on its day. The first of a day finds the day before in the item: it keeps that in
 * a row of its own and begins the day. That row is written before the day is left behind, so that no crash loses it.
 */
export async function onItsDay(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  credential: Credential,
  asked: number,
  attempt: (count: DayCount) => Promise<Attempt>,
): Promise<Attempt> {
  if (asked === 0) return attempt(NOTHING);
  const today = utcDay(clock.now());
  let count = goOn(asked, today);
  let before: Item<'api-keys'> | undefined;
  for (;;) {
    const written = await attempt(count);
    if (written.ok || !accepts(written.old, credential, clock.now())) return written;
    const old = written.old!;
    const hasBegun = old.day !== undefined && old.day >= today;
    // Refused though the day was as the write would have it: for something else.
    const isAsRead = before && before.day === old.day && before.dayRequests === old.dayRequests;
    if (hasBegun ? !before : isAsRead) return written;
    if (!hasBegun) await keepDay({ db }, old);
    before = hasBegun ? undefined : old;
    count = hasBegun ? goOn(asked, today) : begin(asked, today, old);
  }
}

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
