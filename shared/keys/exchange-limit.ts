import type { Effects } from '../platform/effects.ts';
import { remember } from '../platform/values/remember.ts';
import { accepts } from './accepted.ts';
import { countUse } from './count-use.ts';
import type { Credential } from './key.ts';
import type { KeyUse } from './usage.ts';
import { LENGTH_MS } from './window.ts';

/** Keys of which an instance remembers when their second ends: forgetting one costs a write. */
const MOST_REMEMBERED = 10_000;

/** Takes places of a second that begins with this. */
const beginSecond = (places: number, now: number) => ({
  set: ', #exchangeCount = :places, #exchangeEndsAt = :ends',
  when: ' AND (attribute_not_exists(#exchangeEndsAt) OR #exchangeEndsAt <= :now)',
  values: { places, ends: now + LENGTH_MS },
});

/** Takes places of the second that runs, where it has so many left. */
const goOnWithSecond = (places: number, most: number) => ({
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
      const isOver = (seconds.get(id) ?? 0) <= now;
      const taken = isOver ? beginSecond(places, now) : goOnWithSecond(places, most);
      const used = await countUse({ db, clock }, credential, asked, now, taken);
      const { exchangeEndsAt = 0, exchangeCount = 0 } = (used.ok ? used.item : used.old) ?? {};
      remember(seconds, id, exchangeEndsAt, MOST_REMEMBERED);
      const resetMs = exchangeEndsAt - now;
      if (used.ok) return { outcome: 'accepted', key: used.item, remaining: most - exchangeCount, resetMs };
      if (!accepts(used.old, credential, now)) return { outcome: 'unknown' };
      if (resetMs > 0 && exchangeCount + places > most) return { outcome: 'limited', retryAfterMs: resetMs };
    }
  };
}
