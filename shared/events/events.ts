import type { Conversion } from '../conversions/store.ts';
import type { Performance } from '../ledgers/store.ts';
import type { StatementPage } from '../statements/store.ts';
import {
  clickData,
  conversionData,
  createdData,
  exhaustedData,
  impressionData,
  pausedData,
  statementData,
  updatedData,
} from './data.ts';
import { type Envelope, envelope } from './envelope.ts';
import type { BidFact, CampaignFact } from './facts.ts';

/** An event and the users who hear of it, each once. */
export interface Announcement {
  event: Envelope;
  users: string[];
}

/** What happened to a bid concerns who pays for the ad and who showed it. */
export function announceBid(fact: BidFact): Announcement {
  const { id, campaignOwner, keyOwner } = fact.bid;
  const event =
    fact.kind === 'impression'
      ? envelope('ad.impression', id, fact.bid.servedAt, impressionData(fact.bid))
      : envelope('ad.click', id, fact.bid.click.at, clickData(fact.bid));
  return { event, users: [...new Set([campaignOwner, keyOwner])] };
}

/** A conversion concerns the same two. */
export const announceConversion = (conversion: Conversion): Announcement => ({
  event: envelope(
    'ad.conversion',
    `${conversion.owner} ${conversion.conversionId}`,
    conversion.at,
    conversionData(conversion),
  ),
  users: [...new Set([conversion.owner, conversion.keyOwner])],
});

/** Each page is an event of its own. */
export const announceStatement = (page: StatementPage): Announcement => ({
  event: envelope('account.billing', `${page.owner} ${page.date}`, page.at, statementData(page)),
  users: [page.owner],
});

/** What happened to a campaign concerns its owner. Facts of one change share its version. */
export function announceCampaign(fact: CampaignFact, figures: Performance): Announcement {
  const { campaign } = fact;
  const event = envelope(
    `campaign.${fact.kind}`,
    `${campaign.id} ${campaign.version}`,
    campaign.changedAt,
    campaignData(fact, isOfMoney(fact) ? { ...figures, ...campaign.moneyAt } : figures),
  );
  return { event, users: [campaign.owner] };
}

function campaignData(fact: CampaignFact, figures: Performance): Envelope['data'] {
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

/** What money did is told with the money of that moment, not of the one in which it is told. */
const isOfMoney = ({ kind, campaign }: CampaignFact): boolean =>
  kind === 'budget_exhausted' || (kind === 'paused' && campaign.pausedReason !== 'user');
