import type { ClickCounters } from './bid.ts';
import crawlerNames from './crawler-names.json' with { type: 'json' };

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

// How declared crawlers and link previews name themselves, from the package crawler-user-agents (MIT) by `npm run train -- crawlers`.

/** Names are looked up by so many of their first characters. */
const PREFIX_LENGTH = 3;

/**
 * Tells declared crawlers and link previews by their names from everybody else: people, HTTP clients, backends and headless
 * browsers, whatever they call themselves. A name counts from the begin of a word to the end of one, or to a capital letter.
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
