import type { Figures } from '../ledgers/store.ts';
import { clickData, createdData, exhaustedData, impressionData, pausedData, updatedData } from './data.ts';
import { type Envelope, envelope } from './envelope.ts';
import type { BidFact, CampaignFact } from './facts.ts';

/** An event and the users who hear of it, each once. */
export interface Announcement {
  event: Envelope;
  users: string[];
}

/** What happened to a bid concerns who pays for the ad and who showed it. */
export function announceBid(fact: BidFact): Announcement {
  const { bid } = fact;
  const event =
    fact.kind === 'impression'
      ? envelope('ad.impression', bid.id, bid.servedAt, impressionData(bid))
      : envelope('ad.click', bid.id, fact.bid.click.at, clickData(fact.bid));
  return { event, users: [...new Set([bid.campaignOwner, bid.keyOwner])] };
}

/** What happened to a campaign concerns its owner. Facts of one change share its version. */
export function announceCampaign(fact: CampaignFact, figures: Figures): Announcement {
  const { campaign } = fact;
  const event = envelope(
    `campaign.${fact.kind}`,
    `${campaign.id} ${campaign.version}`,
    campaign.changedAt,
    campaignData(fact, figures),
  );
  return { event, users: [campaign.owner] };
}

function campaignData(fact: CampaignFact, figures: Figures): Envelope['data'] {
  switch (fact.kind) {
    case 'created':
      return createdData(fact.campaign);
    case 'updated':
      return updatedData(fact.campaign, fact.changed);
    case 'paused':
      return pausedData(fact.campaign, figures);
    case 'budget_exhausted':
      return exhaustedData(fact.campaign, figures);
  }
}
