import { isoTime, utcDay } from '../platform/clock.ts';
import type { Values, Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { remember } from '../platform/values/cache.ts';
import { type ApiKey, acceptanceCondition, acceptanceNames, acceptanceValues, isAccepted } from './api-key.ts';
import type { Credential } from './credential.ts';
import { keyDayRow } from './key-day.ts';
import { createFullWindowCache, type RateLimitResult } from './rate-limit.ts';
import * as window from './sliding-window.ts';
import { WINDOW_MS } from './sliding-window.ts';

/** What one use of a key came to. */
export type KeyUse =
  | (RateLimitResult & { outcome: 'accepted' } & { key: ApiKey })
  | (RateLimitResult & { outcome: 'limited' })
  | { outcome: 'unknown' };

/** Whoever comes with a key: whether it is one, and whether its window has room. */
export function createKeyUsage({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const full = createFullWindowCache();

  return {
    /** Whether there is such a key, it is on and has this secret. Counts nothing. */
    async isAccepted(credential: Credential): Promise<boolean> {
      return isAccepted(await db.get('api-keys', { id: credential.keyId }), credential, clock.now());
    },

    /** Milliseconds for which this instance knows the window to be full; 0 when it does not. Asks nobody. */
    knownFullMs(id: string, register: window.Register): number {
      return full.waitMs(`${register} ${id}`, clock.now());
    },

    /**
     * Authenticates, counts and limits in one conditional write; `asked` is for how many ads. The condition settles the race of requests for the last
     * place in the window; the old item of a failed one tells an unknown key from a full window.
     */
    async use(credential: Credential, register: window.Register, asked: number): Promise<KeyUse> {
      const id = credential.keyId;
      const now = clock.now();
      const used = await countUse({ db, clock }, credential, asked, now, {
        set: `, ${window.shiftAssignments(register)}`,
        when: ` AND ${window.roomCondition(register)}`,
        values: { cutoff: now - window.WINDOW_MS },
      });
      if (used.ok) {
        const remaining = window.countRemaining(used.item, register, now);
        return { outcome: 'accepted', key: used.item, remaining, resetMs: window.WINDOW_MS };
      }
      const { old } = used;
      if (!old || !isAccepted(old, credential, now)) return { outcome: 'unknown' };
      const opens = window.getReopensAt(old, register);
      full.remember(`${register} ${id}`, opens);
      return { outcome: 'limited', retryAfterMs: Math.max(1, opens - now) };
    },

    /** Authenticates and counts a use in one write, where another limit than the key's own windows holds. */
    async authenticate(credential: Credential, asked: number): Promise<ApiKey | undefined> {
      const used = await countUse({ db, clock }, credential, asked, clock.now());
      return used.ok ? used.item : undefined;
    },
  };
}

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
const continueDay = (asked: number, today: string): UsePart => ({
  set: '',
  add: ', #dayRequests :asked',
  when: ' AND #day >= :today',
  values: { asked, today },
});

/** The day before is left behind as it was read, and so kept in its row: the condition settles the race with whoever still adds to it. */
const beginDay = (asked: number, today: string, { day, dayRequests }: Item<'api-keys'>): UsePart => ({
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
async function countUse(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  credential: Credential,
  asked: number,
  now: number,
  taken: Partial<UsePart> = {},
): Promise<Use> {
  const attempt = (day: UsePart): Promise<Use> =>
    db.write(buildUseWrite(credential, now, [{ ...NOTHING, ...taken }, day]), 'new');
  if (asked === 0) return attempt(NOTHING);
  const today = utcDay(clock.now());
  let day = continueDay(asked, today);
  let before: Item<'api-keys'> | undefined;
  for (;;) {
    const written = await attempt(day);
    if (written.ok || !isAccepted(written.old, credential, clock.now())) return written;
    const old = written.old!;
    const hasBegun = old.day !== undefined && old.day >= today;
    // Refused though the day was as the write would have it: for something else.
    const isAsRead = before && before.day === old.day && before.dayRequests === old.dayRequests;
    if (hasBegun ? !before : isAsRead) return written;
    if (!hasBegun) await keepDay({ db }, old);
    before = hasBegun ? undefined : old;
    day = hasBegun ? continueDay(asked, today) : beginDay(asked, today, old);
  }
}

const buildUseWrite = (credential: Credential, now: number, parts: readonly UsePart[]) => {
  const all = (field: 'set' | 'add' | 'when') => parts.map((part) => part[field]).join('');
  return {
    table: 'api-keys',
    key: { id: credential.keyId },
    update: `SET #lastUsedAt = :time${all('set')} ADD #requestCount :one${all('add')}`,
    when: acceptanceCondition(credential) + all('when'),
    names: acceptanceNames(credential),
    once: true, // the last place taken by an attempt whose answer was lost is not a full limit
    values: Object.assign(
      { ...acceptanceValues(credential, now), time: isoTime(now), one: 1 },
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

/** Keys of which an instance remembers when their second ends: forgetting one costs a write. */
const MAX_EXCHANGE_KEYS = 10_000;

/** Takes places of a second that begins with this. */
const beginSecond = (places: number, now: number) => ({
  set: ', #exchangeCount = :places, #exchangeEndsAt = :ends',
  when: ' AND (attribute_not_exists(#exchangeEndsAt) OR #exchangeEndsAt <= :now)',
  values: { places, ends: now + WINDOW_MS },
});

/** Takes places of the second that runs, where it has so many left. */
const continueSecond = (places: number, most: number) => ({
  add: ', #exchangeCount :places',
  when: ' AND #exchangeEndsAt > :now AND #exchangeCount <= :room',
  values: { places, room: most - places },
});

/**
 * The limit of exchanges, beside the key's own windows: authenticates, counts and takes so many places of a second that begins with its first
 * request, in one write. Which of the two writes is tried first goes by what this instance saw last; the condition of either settles the
 * race for the last places.
 *
 * It does not slide as the key's own windows do. Those hold a time for each request of a second, which for 200 would make the item, and each
 * write, three times as dear; a sum over parts of a second no condition can make, and whoever makes it beforehand has to read first, and
 * again whenever another instance was quicker. Parts that each have a limit of their own refuse bursts that the second allows. So two seconds that
 * meet may let twice as many through in one, as the windows of a minute do.
 */
export function createExchangeLimit({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const seconds = new Map<string, number>();

  return async function takeExchangeSlot(
    credential: Credential,
    places: number,
    asked: number,
    most: number,
  ): Promise<KeyUse> {
    const id = credential.keyId;
    for (;;) {
      const now = clock.now();
      const isOver = (seconds.get(id) ?? 0) <= now;
      const taken = isOver ? beginSecond(places, now) : continueSecond(places, most);
      const used = await countUse({ db, clock }, credential, asked, now, taken);
      const { exchangeEndsAt = 0, exchangeCount = 0 } = (used.ok ? used.item : used.old) ?? {};
      remember(seconds, id, exchangeEndsAt, MAX_EXCHANGE_KEYS);
      const resetMs = exchangeEndsAt - now;
      if (used.ok) return { outcome: 'accepted', key: used.item, remaining: most - exchangeCount, resetMs };
      if (!isAccepted(used.old, credential, now)) return { outcome: 'unknown' };
      if (resetMs > 0 && exchangeCount + places > most) return { outcome: 'limited', retryAfterMs: resetMs };
    }
  };
}
