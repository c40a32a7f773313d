// How declared crawlers and link previews name themselves, from the package crawler-user-agents (MIT) by `npm run train -- crawlers`.
import crawlerNames from './crawler-names.json' with { type: 'json' };

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
