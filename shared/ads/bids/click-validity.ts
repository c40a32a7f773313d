import type { ClickCounters } from './bid.ts';
import crawlerNames from './crawler-names.json' with { type: 'json' };

/** Why a click attempt is not a valid click. */
export type Invalidity = 'repeat' | 'head' | 'prefetch' | 'bot';

/** Click attempts of an ad by result. Only `valid` (0 or 1) counts as a click. */
export const countAttempts = (counters: ClickCounters): Record<'valid' | Invalidity, number> => ({
  valid: Math.min(1, counters.genuineVisits ?? 0),
  repeat: Math.max(0, (counters.genuineVisits ?? 0) - 1),
  head: counters.headVisits ?? 0,
  prefetch: counters.prefetchVisits ?? 0,
  bot: counters.botVisits ?? 0,
});

/**
 * Why the method and headers show that a click or tracker request is not from a user; null if it may be. Only the bid's record can reveal a
 * repeat.
 */
export function getInvalidity(
  method: string,
  header: (name: string) => string | undefined,
  isCrawler: (userAgent: string) => boolean,
): Exclude<Invalidity, 'repeat'> | null {
  if (method === 'HEAD') return 'head';
  if (/prefetch/i.test(`${header('sec-purpose')} ${header('purpose')}`)) return 'prefetch';
  return isCrawler(header('user-agent') ?? '') ? 'bot' : null;
}

// The crawler names are from the package crawler-user-agents (MIT), written by `npm run train -- crawlers`.

const PREFIX_LENGTH = 3;

/**
 * Recognizes declared crawlers and link previews by user agent. HTTP clients, backends, and headless browsers are not crawlers. A name
 * matches at the start of a word, up to the end of a word or a capital letter.
 */
export function createIsCrawler(): (userAgent: string) => boolean {
  const byStart = Map.groupBy(crawlerNames, (name) => name.slice(0, PREFIX_LENGTH));

  return (userAgent) => {
    for (const { index } of userAgent.matchAll(/(?<![A-Za-z0-9])[A-Za-z0-9]/g)) {
      const names = byStart.get(userAgent.slice(index, index + PREFIX_LENGTH));
      if (
        names?.some((name) => userAgent.startsWith(name, index) && !/[a-z]/.test(userAgent.charAt(index + name.length)))
      )
        return true;
    }
    return false;
  };
}
