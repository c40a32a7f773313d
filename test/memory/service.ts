import { loadWorker } from '../../infra/local/functions.ts';
import type { Bid, Issued } from '../../shared/ads/bids/bid.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { addCampaign } from '../../shared/campaigns/add.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { createCampaign, updateCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { changeCampaign } from '../../shared/campaigns/change.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { deleteCampaign } from '../../shared/campaigns/remove.ts';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { addApiKey } from '../../shared/keys/create-key.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { fromUsd, type Micros } from '../../shared/platform/values/money.ts';
import { type CampaignFact, toCampaignFacts } from '../../shared/webhooks/events/facts.ts';
import { createTestClock, createTestIds, runningShoes, type TestClock, testResolve } from '../service.ts';
import { streamRecord } from '../stream-record.ts';
import { createMemoryDatabase, type Gate, type MemoryChange } from './database.ts';

export const OWNER = 'alice';

/** The parts of the service that handle money, on an in-memory database. */
export function createBudgetService(
  seed: string,
  clock: TestClock = createTestClock(),
  settings: Record<string, string> = {},
) {
  const db = createMemoryDatabase();
  const config = readConfig({ LOG_LEVEL: 'silent', BASE_URL: 'https://ads.test', ...settings }, true);
  const effects: WorkerEffects = {
    db,
    clock,
    config,
    ids: createTestIds(seed, clock.now),
    log: createLog('silent'),
    metrics: noMetrics,
    resolve: testResolve,
    queue: { send: async () => {}, postpone: async () => {}, inFlight: async () => 0 },
  };
  const ledgers = ledgerStore(effects);
  let counted = 0;

  return {
    effects,
    clock,
    db,

    /** The same service behind a gate, or on another instance's clock. */
    instance: (gate: Gate, more: Partial<Effects> = {}): WorkerEffects => ({
      ...effects,
      ...more,
      db: db.behind(gate),
    }),

    async campaign(overrides: object = {}): Promise<Campaign> {
      const saved = await addCampaign(
        effects,
        getLexicon(),
        OWNER,
        createCampaign.parse({ ...runningShoes(), ...overrides }),
      );
      if (saved.outcome !== 'saved') throw new Error(saved.outcome);
      return saved.campaign;
    },

    /** A user's change, with the campaign after it. */
    async update(campaign: Campaign, body: object, by: Effects = effects): Promise<Campaign> {
      const saved = await changeCampaign(by, getLexicon(), OWNER, campaign.id, updateCampaign.parse(body));
      if (saved.outcome !== 'saved') throw new Error(saved.outcome);
      return saved.campaign;
    },

    /** Deletes a campaign as its user does. */
    remove: ({ id }: Pick<Campaign, 'id'>, by: Effects = effects) => deleteCampaign(by, OWNER, id),

    /** A winning bid. @param cpm USD */
    bid: (campaign: Campaign, cpm: number, more: Partial<Issued> = {}): Promise<Issued> =>
      createBidStore(effects).issue({
        keyId: 'key',
        keyOwner: 'publisher',
        mode: 'live',
        campaignId: campaign.id,
        campaignOwner: OWNER,
        price: fromUsd(cpm),
        relevance: 0.8,
        countryCode: 'US',
        terms: [],
        ...more,
      }),

    /** A publisher's key and its secret. */
    key: () => addApiKey(effects, 'publisher', { name: 'Test key', mode: 'live', bidFloor: 0 }),

    performance: async (campaign: Campaign) => (await ledgers.performance([campaign.id]))[0]!,
    /** The spend stats last published to bidding. */
    stats: (campaign: Campaign) => db.get('campaigns', { owner: OWNER, item: `funds#${campaign.id}` }),
    lifecycle: (campaign: Campaign) => findCampaign(effects, OWNER, campaign.id),
    /** Rows of days, from the beginning of time. */
    days: (campaign: Campaign) => ledgers.days(campaign.id, '2000-01-01', '2999-12-31'),
    today: () => utcDay(clock.now()),

    /**
     * Passes the changes since the last call to the counting function as one batch of a stream shard, or `some` changes as parked
     * records.
     * @returns its failures, by their index in the batch
     */
    async count(by: WorkerEffects = effects, some?: MemoryChange[]) {
      const changes = some ?? filterCountable(db.changes.slice(counted));
      counted = db.changes.length;
      const Records = changes.map(({ table, old, now }) => streamRecord(old, now, table));
      const shard = some ? {} : { shardId: 'shardId-00000001-a' };
      const { batchItemFailures } = await (await loadWorker('events/count', by))({ Records, ...shard });
      const findIndex = (id: string) => Records.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === id);
      return { batchItemFailures: batchItemFailures.map(({ itemIdentifier }) => findIndex(itemIdentifier)) };
    },

    /** The facts of a campaign's stored changes, in order. */
    facts: (campaign: Campaign): CampaignFact[] =>
      db.changes
        .filter(({ table, now }) => table === 'campaigns' && now?.item === `campaign#${campaign.id}`)
        .flatMap(({ old, now }) => toCampaignFacts(old as Campaign | undefined, now as Campaign)),
  };
}

/** The changes that pass the filters of the streams: new live bids, newly served bids, clicks not marked as counted, and new conversions. */
export const filterCountable = (changes: MemoryChange[]): MemoryChange[] =>
  changes.filter(
    ({ table, old, now }) =>
      (table === 'bids' && !old && now?.mode === 'live') ||
      (table === 'bids' && now?.state === 'served' && old?.state === 'issued') ||
      (table === 'bids' && now?.click && !now.clickCounted) ||
      (table === 'conversions' && !old),
  );

/** Clicks the ad of a bid. */
export const CLICK = { userAgent: 'curl/8', referrer: '', ip: '203.0.113.0', userId: '', sessionId: '' };

export const kinds = (facts: CampaignFact[]): string[] => facts.map(({ kind }) => kind);

/** Micro-dollars charged to served bids, by the day of the charge. */
export function chargedByDay(bids: readonly (Bid | undefined)[]): Map<string, number> {
  const days = new Map<string, number>();
  for (const bid of bids) {
    if (bid && 'charged' in bid) days.set(bid.day, (days.get(bid.day) ?? 0) + (bid.charged as Micros));
  }
  return days;
}
