import type { ClickCounters } from './bid.ts';

/** Why a click attempt is no valid click. */
export type Invalidity = 'repeat' | 'head' | 'prefetch' | 'bot';

/** Click attempts of an ad by what was made of them: the valid one, which counts, and the others. */
export const countAttempts = (counted: ClickCounters): Record<'valid' | Invalidity, number> => ({
  valid: Math.min(1, counted.genuineVisits ?? 0),
  repeat: Math.max(0, (counted.genuineVisits ?? 0) - 1),
  head: counted.headVisits ?? 0,
  prefetch: counted.prefetchVisits ?? 0,
  bot: counted.botVisits ?? 0,
});

/** What makes a click attempt, or the fetch of an ad's tracker, invalid by what it says of itself; null when it may be a reader's. A repeat shows in the record alone. */
export function getInvalidity(
  method: string,
  header: (name: string) => string | undefined,
  isCrawler: (userAgent: string) => boolean,
): Exclude<Invalidity, 'repeat'> | null {
  if (method === 'HEAD') return 'head';
  if (/prefetch/i.test(`${header('sec-purpose')} ${header('purpose')}`)) return 'prefetch';
  return isCrawler(header('user-agent') ?? '') ? 'bot' : null;
}
