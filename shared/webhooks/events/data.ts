import { type Clicked, type LegacyContext, type Served, type SupplyChain, toClickId } from '../../ads/bids/bid.ts';
import type { Conversion } from '../../ads/conversions/store.ts';
import type { Performance } from '../../budgets/ledger.ts';
import { type StatementPage, toDay } from '../../budgets/statements.ts';
import { type Campaign, getDailyBudget } from '../../campaigns/campaign.ts';
import { presentPerformance } from '../../campaigns/campaign-response.ts';
import type { Creative } from '../../campaigns/creative.ts';
import { isoTime } from '../../platform/clock.ts';
import { toUsd } from '../../platform/values/money.ts';
import type { EventType } from './types.ts';

/** The `data` of each event (api 8.4). A string without a value is empty, never absent. */

/** @param schain only for the owner of the API key: sellers are the publisher's business */
function impressionData(bid: Served, schain?: SupplyChain) {
  const { userId, sessionId, conversation, userQuery, placement, userAgent, ip } = bid.shown ?? NO_CONTEXT;
  return {
    ad_id: bid.id,
    campaign_id: bid.campaignId,
    user_id: userId,
    session_id: sessionId,
    context: { conversation, user_query: userQuery },
    placement,
    metadata: { user_agent: userAgent, ip_address: ip, timestamp: isoTime(bid.servedAt) },
    ...(schain && { schain }),
  };
}

/** For an SSP ad, the context in which it is shown is unknown. */
const NO_CONTEXT: LegacyContext = {
  conversation: '',
  userQuery: '',
  placement: { type: '', position: '' },
  userId: '',
  sessionId: '',
  userAgent: '',
  ip: '',
};

/** A clicked bid with the creative of its ad. */
export type ClickedAd = Clicked & { creative: Creative };

const clickData = ({ shown = NO_CONTEXT, ...bid }: ClickedAd) => ({
  ad_id: bid.id,
  campaign_id: bid.campaignId,
  click_id: toClickId(bid.id),
  user_id: bid.click.userId || shown.userId,
  session_id: bid.click.sessionId || shown.sessionId,
  landing_url: bid.creative.landingUrl,
  context: { conversation: shown.conversation, user_query: shown.userQuery },
  metadata: { user_agent: bid.click.userAgent, ip_address: bid.click.ip, timestamp: isoTime(bid.click.at) },
});

const conversionData = (conversion: Conversion) => ({
  ad_id: conversion.bidId,
  campaign_id: conversion.campaignId,
  click_id: conversion.clickId,
  conversion_id: conversion.conversionId,
  user_id: conversion.userId,
  conversion_type: conversion.conversionType,
  conversion_value: conversion.value,
  currency: conversion.currency,
  metadata: { timestamp: isoTime(conversion.at) },
});

/** A page of a statement; `spend` is the total of all pages. */
const statementData = ({ owner, date, page = 1, pages = 1, spend, campaigns }: StatementPage) => ({
  kind: 'daily_statement' as const,
  user_id: owner,
  date: toDay({ date }),
  page,
  pages,
  currency: 'USD',
  spend: toUsd(spend),
  campaigns: campaigns.map(({ campaignId, campaignName, impressions, clicks, conversions, spend }) => ({
    campaign_id: campaignId,
    campaign_name: campaignName,
    impressions,
    clicks,
    conversions,
    spend: toUsd(spend),
  })),
});

const createdData = (campaign: Campaign) => ({
  campaign_id: campaign.id,
  campaign_name: campaign.name,
  budget: toUsd(campaign.budget),
  daily_budget: toUsd(getDailyBudget(campaign)),
  status: campaign.status,
  target_audience: {
    keywords: campaign.targetAudience.keywords,
    demographics: { age_range: campaign.targetAudience.demographics.ageRange ?? '' },
  },
});

const updatedData = (campaign: Campaign, changed: string[]) => ({
  campaign_id: campaign.id,
  campaign_name: campaign.name,
  changed,
  status: campaign.status,
  updated_at: campaign.updatedAt,
});

const pausedData = (campaign: Campaign, { spent }: Performance) => ({
  campaign_id: campaign.id,
  campaign_name: campaign.name,
  reason: campaign.pausedReason ?? 'user', // never null for a paused campaign
  spent: toUsd(spent),
  budget: toUsd(campaign.budget),
  daily_budget: toUsd(getDailyBudget(campaign)),
});

function exhaustedData(campaign: Campaign, performance: Performance) {
  const { impressions, clicks, conversions, ctr, averageCpb } = presentPerformance(performance);
  return {
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    budget: toUsd(campaign.budget),
    spent: toUsd(performance.spent),
    performance: { impressions, clicks, conversions, ctr, average_cpb: averageCpb },
  };
}

/** Builds the data of each event type. A missing type is a compile error. */
export const eventData = {
  'ad.impression': impressionData,
  'ad.click': clickData,
  'ad.conversion': conversionData,
  'campaign.created': createdData,
  'campaign.updated': updatedData,
  'campaign.paused': pausedData,
  'campaign.budget_exhausted': exhaustedData,
  'account.billing': statementData,
} satisfies Record<EventType, (...fact: never[]) => Record<string, unknown>>;

export type EventData = { [T in EventType]: ReturnType<(typeof eventData)[T]> };
