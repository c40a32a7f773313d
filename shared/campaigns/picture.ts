import type { Clock } from '../clock.ts';
import type { Effects } from '../effects.ts';
import type { Lexicon, MatchOptions, Message, Verdict } from '../matching/index.ts';
import { snapshotStore } from '../snapshots/store.ts';
import type { Biddable } from './biddable.ts';
import type { Funds } from './funds.ts';
import { type Reading, readAll, readChanges, readIndex } from './read-all.ts';
import { createRoster } from './roster.ts';
import { campaignStore, marginMs, TOMBSTONE_MS } from './store.ts';

/** How long a request waits for an instance to learn the campaigns before it is answered from those known by then. */
const PATIENCE_MS = 300;
/** How often everything is read again, as a net under the changes. */
const SWEEP_MS = TOMBSTONE_MS / 20;
/** After so long a sleep the campaigns are learnt anew; well before tombstones go. */
const SLEEP_MS = TOMBSTONE_MS / 5;

type PictureEffects = Pick<Effects, 'db' | 'clock' | 'config' | 'log'>;

export type Picture = ReturnType<typeof campaignPicture>;

/**
 * What one bidding instance knows of the campaigns: those that might bid, in memory, with their index for matching.
 * A new instance learns them from the snapshot while it answers already; then it follows changes by their time.
 */
export function campaignPicture(effects: PictureEffects, lexicon: Lexicon) {
  let known = followCampaigns(effects, lexicon);
  return {
    /**
     * Makes the picture no older than CAMPAIGN_REFRESH_SECONDS: at most one query, and none while it is fresh. While the
     * campaigns are still being learnt it waits for them, but not longer than a bid can.
     */
    refresh(): Promise<void> {
      if (known.sleptTooLong()) known = followCampaigns(effects, lexicon);
      return known.refresh();
    },

    /** Matches a conversation with the campaigns of the picture. */
    match: (messages: readonly Message[], options: MatchOptions): Verdict => known.roster.match(messages, options),

    /** A campaign of the picture, and its money. */
    find: (id: string): { campaign: Biddable; funds: Funds } => known.roster.find(id),
  };
}

function followCampaigns(effects: PictureEffects, lexicon: Lexicon) {
  const { clock, config, log } = effects;
  const store = campaignStore(effects);
  const roster = createRoster(lexicon);
  const learn = readAll(store, snapshotStore(effects, lexicon), roster, effects);
  let learning: Promise<void> | undefined;
  /** All that changed before this, less the margin, is known; undefined until everything is. */
  let knownUpTo: number | undefined;
  let newest: { startedAt: number; done: Promise<void> } | undefined;
  let lastAskedAt = clock.now();
  let sweptAt = 0;
  let sweep: Reading<void> | undefined;
  let isSweeping = false;

  /** Other requests wait for it too, and it may outlive the one that began it: that one's deadline is not its own. */
  const unhurried = <T>(work: () => T): T => clock.within(Number.POSITIVE_INFINITY, work);

  async function learnAll(): Promise<void> {
    knownUpTo = sweptAt = await learn();
    newest = { startedAt: knownUpTo, done: Promise.resolve() };
  }

  async function follow(startedAt: number): Promise<void> {
    await readChanges(store, knownUpTo! - marginMs(config), roster, effects)();
    knownUpTo = Math.max(knownUpTo!, startedAt);
  }

  function refreshKnown(startedAt: number): Promise<void> {
    if (newest && startedAt - newest.startedAt < config.campaignRefreshMs) return newest.done;
    const mine = { startedAt, done: unhurried(() => follow(startedAt)) };
    newest = mine;
    mine.done.catch(() => {
      if (newest === mine) newest = undefined;
    });
    return mine.done;
  }

  /** Nobody waits for it; what interrupts it is gone on from by the next. */
  async function sweepBeside(): Promise<void> {
    isSweeping = true;
    sweep ??= readIndex(store, roster, effects);
    try {
      await sweep();
      sweep = undefined;
      sweptAt = clock.now();
    } catch (cause) {
      log.warn('the sweep was interrupted', { cause: String(cause) });
    }
    isSweeping = false;
  }

  return {
    roster,

    /** Whether tombstones may have come and gone since the campaigns were last looked at. */
    sleptTooLong: (): boolean => clock.now() - (knownUpTo ?? lastAskedAt) >= SLEEP_MS,

    async refresh(): Promise<void> {
      const cameAt = clock.now();
      lastAskedAt = cameAt;
      if (knownUpTo === undefined) {
        const isFirst = learning === undefined;
        learning ??= unhurried(learnAll).finally(() => {
          learning = undefined;
        });
        await patiently(learning, clock);
        if (isFirst || knownUpTo === undefined) return; // whoever came later asks for what changed before it came
      }
      if (cameAt - sweptAt >= SWEEP_MS && !isSweeping) unhurried(sweepBeside);
      return refreshKnown(cameAt);
    },
  };
}

const patiently = (work: Promise<void>, clock: Clock): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.timer(PATIENCE_MS, resolve);
    work.then(resolve, reject).finally(cancel);
  });
