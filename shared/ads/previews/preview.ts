import { toBiddable, withCurrentProfile } from '../../campaigns/biddable.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import { findServingReasons } from '../../campaigns/eligibility.ts';
import { findNewestCampaigns } from '../../campaigns/find.ts';
import { createSpendStats, type SpendStats } from '../../campaigns/spend-stats.ts';
import { type AdStrictness, type Lexicon, type Message, RELEVANCE_MODEL } from '../../matching/index.ts';
import type { Effects } from '../../platform/effects.ts';
import { AD_STRICTNESS } from '../../platform/values/ad-strictness.ts';
import { micros } from '../../platform/values/money.ts';
import { OUTCOMES, type Outcome } from '../../platform/values/outcomes.ts';
import { type AuctionCandidate, getNoBidReason, holdAuction, type Opportunity } from '../auction/auction.ts';
import { presentMatched, presentPrice } from '../auction/present.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { type CatalogEntries, createCatalogEntries } from '../catalog/entries.ts';
import { toServing } from './draft.ts';
import { presentSiblings, rankAmongRivals } from './rivals.ts';

/** Refreshes to wait for while the instance loads its campaigns. */
const MAX_WAITS = 10;

interface Level {
  adStrictness: AdStrictness;
  threshold: number;
  fits: boolean;
}

/** Explains which relevance each strictness requires. */
function explainLevels(levels: readonly Level[]): string {
  const required = levels.map(({ adStrictness, threshold }) => `${Math.round(threshold * 100)} % (${adStrictness})`);
  const isOpen = levels.some(({ fits }) => fits);
  return ` Keys require a relevance of ${required.join(', ')}.${isOpen ? ' Only open keys would show this ad.' : ''}`;
}

/** Other campaigns of the owner to compare with, newest first. */
const MAX_SIBLINGS = 100;

const first = (ids: string[]): string => ids[0]!;

/**
 * Previews how a campaign would do in a conversation against the campaigns that bid now. Stores and spends nothing. Assumes that the
 * campaign can serve. Names only the owner's campaigns; of others, it reports only how many rank higher.
 */
export function createPreview(effects: Effects, lexicon: Lexicon) {
  const { clock, ids } = effects;
  const catalog = createCatalog(effects, lexicon);

  /** The candidates without the previewed campaign; undefined if the catalog is not loaded. */
  async function findRivals(opportunity: Opportunity, id: string): Promise<AuctionCandidate[] | undefined> {
    const without = {
      ...opportunity,
      getExclusion: (campaign: { id: string }) => (campaign.id === id ? ('paused' as const) : null),
    };
    for (let waits = 0; waits < MAX_WAITS; waits++) {
      await catalog.refresh();
      const { noBid, candidates } = holdAuction(catalog, without, first);
      if (noBid !== 'catalog_stale') return candidates;
    }
    return undefined;
  }

  /** Adds the owner's newest campaigns, as they are now, to `own`, and their keywords to `keywords` by ID. */
  async function addSiblings(own: CatalogEntries, { id, owner }: Campaign, keywords: Map<string, readonly string[]>) {
    for await (const sibling of findNewestCampaigns(effects, owner, MAX_SIBLINGS)) {
      if (sibling.id === id) continue;
      keywords.set(sibling.id, sibling.targetAudience.keywords);
      own.add(toBiddable(withCurrentProfile(sibling, lexicon)));
      own.addSpendStats(catalog.find(sibling.id).stats);
    }
  }

  return async (campaign: Campaign, stats: SpendStats, messages: Message[], countryCode: string | undefined) => {
    const now = clock.now();
    const biddable = toBiddable(campaign);
    const serves = findServingReasons(biddable, stats, now).length === 0;
    const own = createCatalogEntries(lexicon);
    own.add(serves ? biddable : toServing(biddable));
    own.addSpendStats(serves ? stats : createSpendStats(campaign.id));
    const country = countryCode ?? biddable.countries[0];
    const adStrictness: AdStrictness = 'balanced';
    const terms = { messages, countryCode: country, floor: micros(0), adStrictness, now, random: ids.random };
    const opportunity = { ...terms, debug: true };
    // A preview shows whether the campaign matches the conversation, regardless of today's pacing.
    const unpaced = { ...opportunity, random: () => 0 };
    const alone = holdAuction(own, unpaced, first);
    const [candidate] = alone.candidates;
    const levels = AD_STRICTNESS.map((level) => ({
      adStrictness: level,
      threshold: RELEVANCE_MODEL.thresholds[level],
      fits: holdAuction(own, { ...unpaced, adStrictness: level, debug: false }, first).winner !== undefined,
    }));
    const rivals = await findRivals(opportunity, campaign.id);
    const keywords = new Map<string, readonly string[]>([[campaign.id, campaign.targetAudience.keywords]]);
    const getKeywords = ({ id }: { id: string }) => keywords.get(id);
    await addSiblings(own, campaign, keywords);
    const ownAuction = holdAuction(own, unpaced, (equals) => equals.find((id) => id === campaign.id) ?? first(equals));
    const ranking = alone.winner && rivals && rankAmongRivals(alone.winner, rivals);
    const outcome: Outcome = alone.winner ? (ranking?.outcome ?? 'won') : getNoBidReason(alone);
    return {
      outcome,
      means: ranking?.means ?? OUTCOMES[outcome].means + (outcome === 'below_threshold' ? explainLevels(levels) : ''),
      fits: alone.winner !== undefined,
      levels,
      relevance: Math.round((candidate?.relevance ?? 0) * 1e4) / 1e4,
      matched: candidate ? presentMatched(candidate, getKeywords) : [],
      price: candidate && candidate.bid > 0 ? presentPrice(candidate) : null,
      others: ranking?.others ?? null,
      own: presentSiblings(ownAuction.candidates, rivals ?? [], campaign, getKeywords),
      context: alone.context,
    };
  };
}
