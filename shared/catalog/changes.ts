import { changesWithin } from '../campaigns/changes.ts';
import type { Effects } from '../platform/effects.ts';
import { yieldEvery } from '../platform/pauses.ts';
import type { CatalogAge, NoteFailure } from './age.ts';
import type { CatalogEntries } from './entries.ts';

/** While the store keeps a query waiting no other is sent, for so long: it need not refuse one from every second too. */
const LONGEST_QUERY_MS = 10_000;
/**
 * Where every request has a query of its own and waits for its end (CAMPAIGN_REFRESH_SECONDS is 0), one that the store refuses ends
 * in time to bid with what is known.
 */
const OWN_QUERY_MS = 500;

interface ChangeQuery {
  startedAt: number;
  isRunning: boolean;
  /** Whether it came to its end, rather than fail. */
  done: Promise<boolean>;
}

export interface ChangeReaders {
  entries: CatalogEntries;
  age: CatalogAge;
  note: NoteFailure;
}

export type ChangeFollower = ReturnType<typeof followChanges>;

/**
 * Follows the changes of campaigns by their time; requests share a query.
 * @param from changes before this, less the margin, are known, or are in the snapshot: from here on the index is read
 */
export function followChanges(
  effects: Pick<Effects, 'db' | 'clock' | 'config'>,
  { entries, age, note }: ChangeReaders,
  from: number,
) {
  const { clock, config } = effects;
  let followedUpTo = from;
  let newest: ChangeQuery | undefined;

  /** Reads what has changed, oldest first; what was read before a failure need not be read again. */
  async function read(startedAt: number): Promise<void> {
    for await (const change of yieldEvery(changesWithin(effects, followedUpTo), clock)) {
      entries.apply(change);
      followedUpTo = Math.max(followedUpTo, Math.min(change.at, startedAt));
    }
    followedUpTo = Math.max(followedUpTo, startedAt);
    age.knownUpTo(followedUpTo);
  }

  function begin(startedAt: number, mostMs: number): Promise<boolean> {
    const mine: ChangeQuery = { startedAt, isRunning: true, done: Promise.resolve(false) };
    mine.done = clock
      .within(clock.now() + mostMs, () => read(startedAt))
      .then(
        () => {
          mine.isRunning = false;
          return true;
        },
        (error) => {
          if (newest === mine) newest = undefined;
          note('changes of campaigns could not be read', error);
          return false;
        },
      );
    newest = mine;
    return mine.done;
  }

  /** The query that a request may share: one as young as it must be, or one that the store keeps waiting. */
  function shared(cameAt: number): Promise<boolean> | undefined {
    if (!newest || config.campaignRefreshMs === 0) return undefined;
    const longest = newest.isRunning ? Math.max(config.campaignRefreshMs, LONGEST_QUERY_MS) : config.campaignRefreshMs;
    return cameAt - newest.startedAt < longest ? newest.done : undefined;
  }

  return {
    followedUpTo: (): number => followedUpTo,
    /** Nobody shares the query that is under way any longer. */
    cutOff(): void {
      newest = undefined;
    },

    /** Takes what is known for true of that moment: nothing was known before, and all is about to be read. */
    startAfresh(at: number): void {
      age.knownUpTo(at);
      newest = { startedAt: at, isRunning: false, done: Promise.resolve(true) };
    },

    /**
     * Requests share a query; when that fails, those who did not begin it share another.
     * @param canDoWithout whether a bid could be made without it
     */
    async catchUp(cameAt: number, canDoWithout: boolean): Promise<boolean> {
      const mostMs = config.campaignRefreshMs === 0 && canDoWithout ? OWN_QUERY_MS : Number.POSITIVE_INFINITY;
      const begun = shared(cameAt);
      if (!begun) return begin(cameAt, mostMs);
      return (await begun) || (shared(cameAt) ?? begin(cameAt, mostMs));
    },
  };
}
