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

/** The result of using a key. */
export type KeyUse =
  | (RateLimitResult & { outcome: 'accepted' } & { key: ApiKey })
  | (RateLimitResult & { outcome: 'limited' })
  | { outcome: 'unknown' };

/** Authenticates keys, counts their use, and applies their sliding windows. */
export function createKeyUsage({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const full = createFullWindowCache();

  return {
    /** Whether the key exists, is active, and accepts this secret. Counts nothing. */
    async isAccepted(credential: Credential): Promise<boolean> {
      return isAccepted(await db.get('api-keys', { id: credential.keyId }), credential, clock.now());
    },

    /** If this instance knows that the window is full, the milliseconds until it opens; otherwise 0. Does not read the store. */
    knownFullMs(id: string, register: window.Register): number {
      return full.waitMs(`${register} ${id}`, clock.now());
    },

    /**
     * Authenticates, counts, and limits in one conditional write; `asked` is the number of requested ads. The condition settles the race of
     * requests for the last place in the window. If it fails, the old item distinguishes an unknown key from a full window.
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

    /** Authenticates and counts in one write, for operations without a sliding window. */
    async authenticate(credential: Credential, asked: number): Promise<ApiKey | undefined> {
      const used = await countUse({ db, clock }, credential, asked, clock.now());
      return used.ok ? used.item : undefined;
    },
  };
}

/** A part of the write that counts a use of a key: fragments of its expressions, and their values. */
interface UsePart {
  /** Further assignments and additions, each with a leading comma. */
  set: string;
  add: string;
  /** Further conditions, with a leading AND. */
  when: string;
  values: Values;
}

const NOTHING: UsePart = { set: '', add: '', when: '', values: {} };

/** Counts on the current day. Days only move forward: a clock that is behind counts on the day that has begun. */
const continueDay = (asked: number, today: string): UsePart => ({
  set: '',
  add: ', #dayRequests :asked',
  when: ' AND #day >= :today',
  values: { asked, today },
});

/**
 * Begins a new day. The condition settles the race with requests that still count on the old day: the key's count of that day must equal the
 * count in the day's row.
 */
const beginDay = (asked: number, today: string, { day, dayRequests }: Item<'api-keys'>): UsePart => ({
  set: ', #day = :today, #dayRequests = :asked',
  add: '',
  when: day ? ' AND #day = :before AND #dayRequests = :counted' : ' AND attribute_not_exists(#day)',
  values: { asked, today, ...(day && { before: day, counted: dayRequests }) },
});

type Use = { ok: true; item: Item<'api-keys'> } | { ok: false; old?: Item<'api-keys'> };

/**
 * Authenticates and counts a use of a key on its day, in one conditional write.
 *
 * The first use of a day finds the previous day's count in the item. It first copies that count to the row of that day, then begins the new
 * day, so a crash in between loses nothing.
 * @param asked number of requested ads
 * @param taken the part of the write that takes a place in a limit
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
    // If the day still matches the condition, the write failed because of the limit.
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
    once: true, // without it, a retry after a lost response could find its own place taken and return `limited`
    values: Object.assign(
      { ...acceptanceValues(credential, now), time: isoTime(now), one: 1 },
      ...parts.map(({ values }) => values),
    ),
  } satisfies Write<'api-keys'>;
};

/** Copies a day's count to its row. The condition settles the race of instances that read different counts: the greatest, and latest, wins. */
export async function keepDay(
  { db }: Pick<Effects, 'db'>,
  { id, day, dayRequests = 0 }: Pick<ApiKey, 'id' | 'day' | 'dayRequests'>,
): Promise<void> {
  if (!day || dayRequests === 0) return;
  const { set, ...row } = keyDayRow(id, day);
  await db.write({
    ...row,
    update: 'SET #requests = :requests, #ttl = :ttl',
    when: 'attribute_not_exists(#requests) OR #requests < :requests',
    values: { requests: dayRequests, ...set },
  });
}

/** Maximum number of keys with a cached window end. Evicting one costs a write. */
const MAX_EXCHANGE_KEYS = 10_000;

/** Begins a new window with this request. The condition settles the race of requests that begin one: the others continue in it. */
const beginSecond = (places: number, now: number) => ({
  set: ', #exchangeCount = :places, #exchangeEndsAt = :ends',
  when: ' AND (attribute_not_exists(#exchangeEndsAt) OR #exchangeEndsAt <= :now)',
  values: { places, ends: now + WINDOW_MS },
});

/** Takes places in the current window. The condition settles the race for the last places. */
const continueSecond = (places: number, max: number) => ({
  add: ', #exchangeCount :places',
  when: ' AND #exchangeEndsAt > :now AND #exchangeCount <= :room',
  values: { places, room: max - places },
});

/**
 * The limit of exchange requests, in addition to the sliding windows. Authenticates, counts, and takes `places` in a fixed one-second window,
 * in one write. The window begins with its first request. What this instance saw last decides whether it first tries to begin a window or to
 * continue one.
 *
 * The window does not slide. A sliding window stores one time per request; for 200 requests, this would triple the cost of every write. A
 * DynamoDB condition cannot sum counts of parts of a second, and a limit per part would reject bursts that the limit per second allows. As
 * with the windows of a minute, two adjacent windows may admit twice the limit within one second.
 */
export function createExchangeLimit({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const windowEnds = new Map<string, number>();

  return async function takeExchangeSlot(
    credential: Credential,
    places: number,
    asked: number,
    max: number,
  ): Promise<KeyUse> {
    const id = credential.keyId;
    for (;;) {
      const now = clock.now();
      const isOver = (windowEnds.get(id) ?? 0) <= now;
      const taken = isOver ? beginSecond(places, now) : continueSecond(places, max);
      const used = await countUse({ db, clock }, credential, asked, now, taken);
      const { exchangeEndsAt = 0, exchangeCount = 0 } = (used.ok ? used.item : used.old) ?? {};
      remember(windowEnds, id, exchangeEndsAt, MAX_EXCHANGE_KEYS);
      const resetMs = exchangeEndsAt - now;
      if (used.ok) return { outcome: 'accepted', key: used.item, remaining: max - exchangeCount, resetMs };
      if (!isAccepted(used.old, credential, now)) return { outcome: 'unknown' };
      if (resetMs > 0 && exchangeCount + places > max) return { outcome: 'limited', retryAfterMs: resetMs };
    }
  };
}
