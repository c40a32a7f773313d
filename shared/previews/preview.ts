import { type AuctionCandidate, holdAuction, type Opportunity } from '../bidding/auction.ts';
import { whyNoBid } from '../bidding/no-bid.ts';
import { presentPrice } from '../bidding/present.ts';
import { biddableOf } from '../campaigns/biddable.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { servingReasons } from '../campaigns/eligibility.ts';
import { noSpendStats, type SpendStats } from '../campaigns/spend-stats.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { createCatalogEntries } from '../catalog/entries.ts';
import type { Lexicon, Message } from '../matching/index.ts';
import type { Effects } from '../platform/effects.ts';
import { micros } from '../values/money.ts';
import { OUTCOMES, type Outcome } from '../values/outcomes.ts';
import { asServing } from './draft.ts';
import { standing } from './standing.ts';

/** Rounds of waiting for an instance that still learns the campaigns. */
const MOST_WAITS = 10;

const first = (ids: string[]): string => ids[0]!;

/**
 * What a campaign would make of a conversation now, beside the campaigns that bid; nothing is stored or spent. It is held as if it
 * served: what keeps it from serving is told elsewhere. Of others it tells how many, and no more.
 */
export function createPreview(effects: Effects, lexicon: Lexicon) {
  const { clock, ids } = effects;
  const catalog = createCatalog(effects, lexicon);

  /** The auction without the campaign; undefined while the instance does not know the campaigns. */
  async function others(opportunity: Opportunity, id: string): Promise<AuctionCandidate[] | undefined> {
    const without = {
      ...opportunity,
      excludes: (campaign: { id: string }) => (campaign.id === id ? ('paused' as const) : null),
    };
    for (let waits = 0; waits < MOST_WAITS; waits++) {
      await catalog.refresh();
      const { noBid, candidates } = holdAuction(catalog, without, first);
      if (noBid !== 'catalog_stale') return candidates;
    }
    return undefined;
  }

  return async (campaign: Campaign, stats: SpendStats, messages: Message[], countryCode: string | undefined) => {
    const now = clock.now();
    const biddable = biddableOf(campaign);
    const serves = servingReasons(biddable, stats, now).length === 0;
    const own = createCatalogEntries(lexicon);
    own.add(serves ? biddable : asServing(biddable));
    own.addSpendStats(serves ? stats : noSpendStats(campaign.id));
    const country = countryCode ?? biddable.countries[0];
    const opportunity = { messages, countryCode: country, floor: micros(0), now, random: ids.random, debug: true };
    // Being ahead of its plan for the day is no matter of the conversation.
    const alone = holdAuction(own, { ...opportunity, random: () => 0 }, first);
    const [candidate] = alone.candidates;
    const rivals = await others(opportunity, campaign.id);
    const stands = alone.winner && rivals && standing(alone.winner, rivals);
    const outcome: Outcome = alone.winner ? (stands?.outcome ?? 'won') : whyNoBid(alone);
    return {
      outcome,
      means: OUTCOMES[outcome].means,
      fits: alone.winner !== undefined,
      relevance: Math.round((candidate?.relevance ?? 0) * 1e4) / 1e4,
      matched: candidate?.matched ?? [],
      price: candidate && candidate.bid > 0 ? presentPrice(candidate) : null,
      others: stands?.others ?? null,
      context: alone.context,
    };
  };
}
