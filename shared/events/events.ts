import type { Conversion } from '../conversions/store.ts';
import type { Performance } from '../ledgers/store.ts';
import type { StatementPage } from '../statements/statement.ts';
import { type EventData, eventData } from './data.ts';
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
      ? envelope('ad.impression', id, fact.bid.servedAt, eventData['ad.impression'](fact.bid))
      : envelope('ad.click', id, fact.bid.click.at, eventData['ad.click'](fact.bid));
  return { event, users: [...new Set([campaignOwner, keyOwner])] };
}

/** A conversion concerns the same two. */
export const announceConversion = (conversion: Conversion): Announcement => ({
  event: envelope(
    'ad.conversion',
    `${conversion.owner} ${conversion.conversionId}`,
    conversion.at,
    eventData['ad.conversion'](conversion),
  ),
  users: [...new Set([conversion.owner, conversion.keyOwner])],
});

/** Each page is an event of its own. */
export const announceStatement = (page: StatementPage): Announcement => ({
  event: envelope('account.billing', `${page.owner} ${page.date}`, page.at, eventData['account.billing'](page)),
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

function campaignData(fact: CampaignFact, figures: Performance): EventData[`campaign.${CampaignFact['kind']}`] {
  switch (fact.kind) {
    case 'created':
      return eventData['campaign.created'](fact.campaign);
    case 'updated':
      return eventData['campaign.updated'](fact.campaign, fact.changed);
    case 'paused':
      return eventData['campaign.paused'](fact.campaign, figures);
    case 'budget_exhausted':
      return eventData['campaign.budget_exhausted'](fact.campaign, figures);
  }
}

/** What money did is told with the money of that moment, not of the one in which it is told. */
const isOfMoney = ({ kind, campaign }: CampaignFact): boolean =>
  kind === 'budget_exhausted' || (kind === 'paused' && campaign.pausedReason !== 'user');
