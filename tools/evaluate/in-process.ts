import { createTieBreaker, holdAuction } from '../../shared/ads/auction/auction.ts';
import { presentAuction } from '../../shared/ads/auction/present.ts';
import type { ReadAdTexts } from '../../shared/ads/bids/ad-texts.ts';
import { bidRequest } from '../../shared/ads/bids/bid-schema.ts';
import { createOpinionRequest } from '../../shared/ads/bids/second-opinion.ts';
import { createCatalogEntries } from '../../shared/ads/catalog/entries.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import type { Biddable } from '../../shared/campaigns/biddable.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { EMPTY_CREATIVE } from '../../shared/campaigns/creative.ts';
import { toMatchingProfile } from '../../shared/campaigns/matching-profile.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import type { AdStrictness } from '../../shared/matching/index.ts';
import type { Judge } from '../../shared/platform/judge.ts';
import { systemClock } from '../../shared/platform/system-clock.ts';
import { micros } from '../../shared/platform/values/money.ts';
import { generator } from '../random.ts';
import type { BidResult } from './client.ts';
import type { Folder, FolderCampaign, RefusedCampaign } from './folder.ts';
import type { Bidder } from './measure.ts';

const OWNER = 'advertiser';
/** Arbitrary, but fixed, so that results are reproducible. */
const SEED = 20_261_122;

/** Converts a campaign of the folder to a stored one with the same id, or returns why it is invalid. */
function toCampaign({ id, body }: FolderCampaign): Campaign | { reason: string } {
  const read = createCampaign.safeParse(body);
  if (!read.success) return { reason: read.error.issues[0]!.message };
  const configuration = merge(read.data);
  const time = new Date(0).toISOString();
  const profile = toMatchingProfile(configuration, getLexicon());
  const lifecycle = { pausedReason: null, pausedDay: null, exhaustions: 0 };
  return {
    ...configuration,
    ...lifecycle,
    id,
    owner: OWNER,
    profile,
    createdAt: time,
    updatedAt: time,
    changedAt: 0,
    version: 1,
  };
}

/** Bids on conversations in this process, with the auction and the second opinion of the service, but without store or network. */
export function createInProcessBidder(
  folder: Pick<Folder, 'campaigns'>,
  judge: Judge,
  adStrictness: AdStrictness,
): Bidder & { refused: RefusedCampaign[] } {
  const entries = createCatalogEntries(getLexicon());
  const campaigns = new Map<string, Campaign>();
  const refused: RefusedCampaign[] = [];
  for (const given of folder.campaigns) {
    const taken = toCampaign(given);
    if ('reason' in taken) refused.push({ campaign: given, reason: taken.reason });
    else {
      campaigns.set(given.id, taken);
      entries.apply({ at: 0, kind: 'campaign', campaign: taken });
    }
  }
  const textOf = ({ id, name }: Biddable) => ({ ...EMPTY_CREATIVE, ...campaigns.get(id)?.creative, name });
  const textsOf: ReadAdTexts = async (biddables) => biddables.map(textOf);
  const consider = createOpinionRequest({ clock: systemClock, judge, readAdTexts: textsOf });
  const turn = createTieBreaker();
  const random = generator(SEED);

  return {
    async bid(request): Promise<BidResult> {
      const read = bidRequest.safeParse(request);
      if (!read.success) return { kind: 'refused', reason: read.error.issues[0]!.message };
      const startedAt = performance.now();
      const opportunity = {
        ...read.data,
        floor: micros(0),
        adStrictness,
        now: Date.now(),
        random,
        debug: true,
      };
      const { demand } = await consider(entries, opportunity, { judge: true });
      const { campaignId, candidates } = presentAuction(holdAuction(demand, opportunity, turn), OWNER, () => undefined);
      return { kind: 'answered', campaignId, candidates, ms: performance.now() - startedAt };
    },
    findCampaign: (id) => folder.campaigns.find((campaign) => campaign.id === id),
    concurrency: 1,
    refused,
  };
}
