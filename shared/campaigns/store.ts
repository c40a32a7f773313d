import { createHash } from 'node:crypto';
import { isoTime } from '../clock.ts';
import type { Item, Write } from '../database.ts';
import type { Effects } from '../effects.ts';
import { changeBudgets, ledgerStore, type Money, openLedger } from '../ledgers/store.ts';
import { asOf } from './as-of.ts';
import { type Campaign, type Configuration, dailyLimit } from './campaign.ts';
import type { Funds } from './funds.ts';
import { merge } from './merge.ts';
import { type Fault, faults } from './rules.ts';
import type { CampaignInput } from './schema.ts';

/** The one partition of the index by change time; a campaign's change is one small write to it. */
const FEED = 'campaigns';

const CAMPAIGN_ID = /^cmp_[0-9A-Za-z]{20}$/;
const itemKey = (owner: string, id: string) => ({ owner, item: `campaign#${id}` });
const fundsKey = (owner: string, id: string) => ({ owner, item: `funds#${id}` });
/** Names are unique per user without regard to case: one item a name, under a hash because a folded name can outgrow a key. */
const nameKey = (owner: string, name: string) => ({
  owner,
  item: `name#${createHash('sha256').update(name.normalize('NFKC').toLowerCase()).digest('hex')}`,
});

const stored = (campaign: Campaign): Item => ({ ...campaign, ...itemKey(campaign.owner, campaign.id), feed: FEED });
const campaignOf = ({ item, feed, ...campaign }: Item): Campaign => campaign as Campaign;

/** How long a deleted campaign leaves a tombstone, so that every instance that bids learns of it. */
export const TOMBSTONE_MS = 24 * 60 * 60 * 1000;

/** What changed: a campaign, its funds, or that it was deleted. */
export type Change =
  | { kind: 'campaign'; campaign: Campaign }
  | { kind: 'funds'; funds: Funds }
  | { kind: 'deleted'; id: string; version: number };

function changeOf(item: Item): Change {
  if (item.item.startsWith('funds#')) return { kind: 'funds', funds: item as Funds };
  if (item.deleted) return { kind: 'deleted', id: item.id, version: item.version };
  return { kind: 'campaign', campaign: campaignOf(item) };
}

const takeName = (campaign: Campaign): Write => ({
  table: 'campaigns',
  put: { ...nameKey(campaign.owner, campaign.name), campaignId: campaign.id },
  when: 'attribute_not_exists(#owner)', // settles the race of two campaigns for one name
});

type Standing = Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay' | 'exhaustions'>;

/** What a campaign's standing becomes when a charge finds a budget spent. */
export const whenSpent = (campaign: Campaign, spent: 'budget' | 'daily_budget', day: string): Standing => ({
  ...(campaign.status === 'active'
    ? { status: 'paused', pausedReason: spent, pausedDay: spent === 'daily_budget' ? day : null }
    : { status: campaign.status, pausedReason: campaign.pausedReason, pausedDay: campaign.pausedDay }),
  exhaustions: campaign.exhaustions + (spent === 'budget' ? 1 : 0),
});

/** A change of standing that no user asked for; the stream's record of it is the fact that sends the event. */
export const changeStanding = (campaign: Campaign, standing: Standing, now: number): Write => ({
  table: 'campaigns',
  key: itemKey(campaign.owner, campaign.id),
  update:
    'SET #status = :status, #pausedReason = :pausedReason, #pausedDay = :pausedDay, #exhaustions = :exhaustions, ' +
    '#updatedAt = :time, #changedAt = :now, #version = :next',
  when: '#version = :version', // settles the race with its user's own change
  values: {
    status: standing.status,
    pausedReason: standing.pausedReason,
    pausedDay: standing.pausedDay,
    exhaustions: standing.exhaustions,
    time: isoTime(now),
    now,
    version: campaign.version,
    next: campaign.version + 1,
  },
});

export type Saved =
  | { outcome: 'saved'; campaign: Campaign }
  | { outcome: 'invalid'; faults: Fault[] }
  | { outcome: 'name_taken' }
  | { outcome: 'not_found' };

export type CampaignStore = ReturnType<typeof campaignStore>;

export function campaignStore({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const ledgers = ledgerStore({ db });

  const find = async (owner: string, id: string): Promise<Campaign | undefined> => {
    if (!CAMPAIGN_ID.test(id)) return undefined;
    const item = await db.get('campaigns', itemKey(owner, id));
    return item && !item.deleted ? asOf(campaignOf(item), clock.now()) : undefined;
  };

  /** The ledger, where a change of budgets could end a pause. */
  const moneyIf = async (before: Campaign, after: Configuration): Promise<Money | undefined> =>
    isSpent(before) && budgetChange(before, after).length > 0 ? ledgers.money(before.id) : undefined;

  return {
    find,

    /** A new campaign with its name and its ledger, all or nothing. */
    async create(owner: string, input: CampaignInput): Promise<Saved> {
      const configuration = merge(input);
      const invalid = faults(input, configuration);
      if (invalid.length > 0) return { outcome: 'invalid', faults: invalid };
      const now = clock.now();
      const time = isoTime(now);
      const campaign: Campaign = {
        ...configuration,
        id: ids.ordered('cmp'),
        owner,
        pausedReason: configuration.status === 'paused' ? 'user' : null,
        pausedDay: null,
        exhaustions: 0,
        createdAt: time,
        updatedAt: time,
        changedAt: now,
        version: 1,
      };
      const written = await db.transact([
        takeName(campaign),
        { table: 'campaigns', put: stored(campaign) },
        openLedger(campaign.id, campaign.budget, dailyLimit(campaign), now),
      ]);
      return written.ok ? { outcome: 'saved', campaign } : { outcome: 'name_taken' };
    },

    /** Lays a partial body over a campaign. Another change in between is seen by the version, and the body laid over that one. */
    async update(owner: string, id: string, input: CampaignInput): Promise<Saved> {
      for (;;) {
        const before = await find(owner, id);
        if (!before) return { outcome: 'not_found' };
        const configuration = merge(input, before);
        const invalid = faults(input, configuration, before);
        if (invalid.length > 0) return { outcome: 'invalid', faults: invalid };
        const now = Math.max(clock.now(), Date.parse(before.updatedAt) + 1); // "updatedAt changes on update", also within one millisecond
        const campaign: Campaign = {
          ...before,
          ...configuration,
          ...standingAfter(input, before, configuration, await moneyIf(before, configuration)),
          updatedAt: isoTime(now),
          changedAt: now,
          version: before.version + 1,
        };
        const rename = nameKey(owner, before.name).item !== nameKey(owner, campaign.name).item;
        const written = await db.transact([
          {
            table: 'campaigns',
            put: stored(campaign),
            when: '#version = :version',
            values: { version: before.version },
          },
          ...(rename
            ? [
                takeName(campaign),
                { table: 'campaigns' as const, key: nameKey(owner, before.name), remove: true as const },
              ]
            : []),
          ...budgetChange(before, campaign),
        ]);
        if (written.ok) return { outcome: 'saved', campaign };
        if (rename && written.refused[1]) return { outcome: 'name_taken' };
      }
    },

    /** A user's campaigns in the order of their creation: their ids sort so. */
    async list(owner: string): Promise<Campaign[]> {
      const found: Campaign[] = [];
      const items = db.query({
        table: 'campaigns',
        where: '#owner = :owner AND begins_with(#item, :campaign)',
        values: { owner, campaign: 'campaign#' },
        consistent: true,
      });
      for await (const item of items) if (!item.deleted) found.push(asOf(campaignOf(item), clock.now()));
      return found;
    },

    /** Deletes a campaign and frees its name; a tombstone tells bidding. Whether there was one. */
    async remove(owner: string, id: string): Promise<boolean> {
      for (;;) {
        const before = await find(owner, id);
        if (!before) return false;
        const now = clock.now();
        const written = await db.transact([
          {
            table: 'campaigns',
            put: {
              ...itemKey(owner, id),
              id,
              deleted: true,
              feed: FEED,
              changedAt: now,
              version: before.version + 1,
              ttl: Math.ceil((now + TOMBSTONE_MS) / 1000),
            },
            when: '#version = :version',
            values: { version: before.version },
          },
          { table: 'campaigns', key: nameKey(owner, before.name), remove: true },
          { table: 'campaigns', key: fundsKey(owner, id), remove: true },
        ]);
        if (written.ok) return true;
      }
    },

    /** Writes down a standing that time alone has brought about, unless something else changed the campaign meanwhile. */
    async settle(campaign: Campaign): Promise<void> {
      const now = clock.now();
      const current = asOf(campaign, now);
      if (current !== campaign) await db.write(changeStanding(campaign, current, now));
    },

    /**
     * Tells bidding of a campaign's money and success. Counts only grow: the condition keeps whoever read them earlier from
     * overwriting what was read later.
     */
    async publishFunds(owner: string, funds: Funds): Promise<void> {
      await db.write({
        table: 'campaigns',
        put: { ...funds, ...fundsKey(owner, funds.id), feed: FEED, changedAt: clock.now() },
        when:
          'attribute_not_exists(#owner) OR ' +
          '(#spent <= :spent AND #impressions <= :impressions AND #clicks <= :clicks AND #conversions <= :conversions)',
        values: {
          spent: funds.spent,
          impressions: funds.impressions,
          clicks: funds.clicks,
          conversions: funds.conversions,
        },
      });
    },

    /** Every change since a moment, oldest first; of several changes of one campaign the last. */
    async *changedSince(ms: number): AsyncGenerator<Change> {
      const items = db.query({
        table: 'campaigns',
        index: 'byChange',
        where: '#feed = :feed AND #changedAt >= :since',
        values: { feed: FEED, since: ms },
      });
      for await (const item of items) yield changeOf(item);
    },
  };
}

const isSpent = ({ pausedReason }: Campaign): boolean => pausedReason === 'budget' || pausedReason === 'daily_budget';

/** A status that the user sends decides; a raised budget ends the pause that its end began (decisions, section 4). */
function standingAfter(
  input: CampaignInput,
  before: Campaign,
  after: Configuration,
  money: Money | undefined,
): Partial<Standing> {
  if (input.status) return { pausedReason: input.status === 'paused' ? 'user' : null, pausedDay: null };
  if (!money) return {};
  const { remaining, dayRemaining } = money;
  if (remaining + after.budget - before.budget <= 0) return {};
  if (dayRemaining + dailyLimit(after) - dailyLimit(before) <= 0) {
    return { pausedReason: 'daily_budget', pausedDay: money.day };
  }
  return { status: 'active', pausedReason: null, pausedDay: null };
}

function budgetChange(before: Configuration & { id: string }, after: Configuration): Write[] {
  const difference = after.budget - before.budget;
  const daily = dailyLimit(after) - dailyLimit(before);
  return difference === 0 && daily === 0 ? [] : [changeBudgets(before.id, difference, daily)];
}
