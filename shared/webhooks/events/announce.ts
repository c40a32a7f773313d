import type { Bid, Served } from '../../ads/bids/bid.ts';
import type { Conversion } from '../../ads/conversions/store.ts';
import type { Performance } from '../../budgets/ledger.ts';
import type { StatementPage } from '../../budgets/statements.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import { type ClickedAd, type EventData, eventData } from './data.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import type { CampaignFact } from './facts.ts';
import type { EventType } from './types.ts';

/** An event and the owners who receive it, without duplicates. */
export interface Announcement {
  event: Envelope;
  owners: string[];
  /** An owner whose event has more data. */
  own?: { owner: string; data: Record<string, unknown> };
}

/** The event of an announcement as one of its owners receives it. */
export const getEventFor = ({ event, own }: Announcement, owner: string): Envelope =>
  own?.owner === owner ? { ...event, data: own.data } : event;

/** Builds the announcement of each event type. A missing type is a compile error. */
const announce = {
  /** The supply chain is part of the publisher's event only. */
  'ad.impression': (bid: Served) => {
    const announcement = aboutBid('ad.impression', bid, bid.servedAt, eventData['ad.impression'](bid));
    const { schain, keyOwner: owner } = bid;
    return schain ? { ...announcement, own: { owner, data: eventData['ad.impression'](bid, schain) } } : announcement;
  },
  'ad.click': (bid: ClickedAd) => aboutBid('ad.click', bid, bid.click.at, eventData['ad.click'](bid)),
  /** Advertiser and publisher receive a conversion, as they do other events of its bid. */
  'ad.conversion': (conversion: Conversion) => {
    const { owner, keyOwner, conversionId, at } = conversion;
    const data = eventData['ad.conversion'](conversion);
    return announcement('ad.conversion', `${owner} ${conversionId}`, at, data, [owner, keyOwner]);
  },
  'campaign.created': (campaign: Campaign) =>
    aboutCampaign('campaign.created', campaign, eventData['campaign.created'](campaign)),
  'campaign.updated': (campaign: Campaign, changed: string[]) =>
    aboutCampaign('campaign.updated', campaign, eventData['campaign.updated'](campaign, changed)),
  'campaign.paused': (campaign: Campaign, performance: Performance) =>
    aboutCampaign('campaign.paused', campaign, eventData['campaign.paused'](campaign, performance)),
  'campaign.budget_exhausted': (campaign: Campaign, performance: Performance) =>
    aboutCampaign('campaign.budget_exhausted', campaign, eventData['campaign.budget_exhausted'](campaign, performance)),
  /** Each page is an event of its own. */
  'account.billing': (page: StatementPage) => {
    const data = eventData['account.billing'](page);
    return announcement('account.billing', `${page.owner} ${page.date}`, page.at, data, [page.owner]);
  },
} satisfies Record<EventType, (...fact: never[]) => Announcement>;

export const announceImpression = announce['ad.impression'];
export const announceClick = announce['ad.click'];
export const announceConversion = announce['ad.conversion'];
export const announceStatement = announce['account.billing'];

export function announceCampaign(fact: CampaignFact, performance: Performance): Announcement {
  const { campaign } = fact;
  /** The balance when the budget ended, which may have changed since. */
  const performanceThen = { ...performance, ...campaign.moneyAt };
  switch (fact.kind) {
    case 'created':
      return announce['campaign.created'](campaign);
    case 'updated':
      return announce['campaign.updated'](campaign, fact.changed);
    case 'paused':
      return announce['campaign.paused'](campaign, campaign.pausedReason === 'user' ? performance : performanceThen);
    case 'budget_exhausted':
      return announce['campaign.budget_exhausted'](campaign, performanceThen);
  }
}

function announcement<T extends EventType>(
  type: T,
  subject: string,
  at: number,
  data: EventData[T],
  owners: string[],
): Announcement {
  return { event: createEnvelope(type, subject, at, data), owners: [...new Set(owners)] };
}

/** Advertiser and publisher receive the events of a bid. */
const aboutBid = <T extends 'ad.impression' | 'ad.click'>(type: T, bid: Bid, at: number, data: EventData[T]) =>
  announcement(type, bid.id, at, data, [bid.campaignOwner, bid.keyOwner]);

/** Only the owner receives the events of a campaign. Facts of one change share its version. */
const aboutCampaign = <T extends `campaign.${CampaignFact['kind']}`>(type: T, campaign: Campaign, data: EventData[T]) =>
  announcement(type, `${campaign.id} ${campaign.version}`, campaign.changedAt, data, [campaign.owner]);
