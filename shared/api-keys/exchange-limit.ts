import { isoTime } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { remember } from '../values/remember.ts';
import { acceptedValues, accepts, isAccepted } from './accepted.ts';
import { type DayCount, onItsDay } from './asked.ts';
import type { Credential } from './key.ts';
import type { KeyUse } from './usage.ts';
import { LENGTH_MS } from './window.ts';

/** Keys of which an instance remembers when their second ends: forgetting one costs a write. */
const MOST_REMEMBERED = 10_000;

interface Taking {
  credential: Credential;
  places: number;
  /** Places of a second. */
  most: number;
  now: number;
  /** Whether a second begins. */
  begins: boolean;
}

/** Takes places in the second of exchanges: in a new one where `begins`, else in the one that runs. */
const takeSecond = (
  { credential, places, most, now, begins }: Taking,
  count: DayCount,
): Write<'api-keys'> & { update: string } => ({
  table: 'api-keys',
  key: { id: credential.keyId },
  update: begins
    ? `SET #lastUsedAt = :time, #exchangeCount = :places, #exchangeEndsAt = :ends${count.set} ADD #requestCount :one${count.add}`
    : `SET #lastUsedAt = :time${count.set} ADD #requestCount :one, #exchangeCount :places${count.add}`,
  when: begins
    ? `${isAccepted(credential)} AND (attribute_not_exists(#exchangeEndsAt) OR #exchangeEndsAt <= :now)${count.when}`
    : `${isAccepted(credential)} AND #exchangeEndsAt > :now AND #exchangeCount <= :room${count.when}`,
  values: {
    ...acceptedValues(credential, now),
    time: isoTime(now),
    places,
    one: 1,
    ...count.values,
    ...(begins ? { ends: now + LENGTH_MS } : { room: most - places }),
  },
});

export type ExchangeLimit = ReturnType<typeof exchangeLimit>;

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
export function exchangeLimit({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const seconds = new Map<string, number>();

  return async function useSecond(
    credential: Credential,
    places: number,
    asked: number,
    most: number,
  ): Promise<KeyUse> {
    const id = credential.keyId;
    for (;;) {
      const now = clock.now();
      const begins = (seconds.get(id) ?? 0) <= now;
      const written = await onItsDay({ db, clock }, credential, asked, (count) =>
        db.write({ ...takeSecond({ credential, places, most, now, begins }, count), once: true }, 'new'),
      );
      const { exchangeEndsAt = 0, exchangeCount = 0 } = (written.ok ? written.item : written.old) ?? {};
      remember(seconds, id, exchangeEndsAt, MOST_REMEMBERED);
      const resetMs = exchangeEndsAt - now;
      if (written.ok) return { outcome: 'accepted', key: written.item, remaining: most - exchangeCount, resetMs };
      if (!accepts(written.old, credential, now)) return { outcome: 'unknown' };
      if (resetMs > 0 && exchangeCount + places > most) return { outcome: 'limited', retryAfterMs: resetMs };
    }
  };
}
