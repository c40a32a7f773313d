import { accountDayStore } from '../../shared/budgets/account-days.ts';
import { balanceKey } from '../../shared/budgets/balance.ts';
import { type CampaignDay, NO_COUNTS } from '../../shared/budgets/day-counts.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { statementStore } from '../../shared/budgets/statement-store.ts';
import { buildStatements } from '../../shared/budgets/statements.ts';
import { ENOUGH, type Term } from '../../shared/budgets/term-counts.ts';
import { publishSpendStats } from '../../shared/campaigns/publish-stats.ts';
import { toSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { createPageCounting } from '../../shared/http/workers/count-pages.ts';
import { createTermCounting } from '../../shared/http/workers/count-terms.ts';
import { breakDown, firstPage, type Subject, type ValueCounts } from '../../shared/platform/breakdowns.ts';
import { DAY_MS, isoTime, MINUTE_MS, utcDay } from '../../shared/platform/clock.ts';
import type { Amounts } from '../../shared/platform/count-once.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { type DimensionValues, NONE } from '../../shared/platform/values/dimensions.ts';
import { cappedMicros, fromUsd, impressionCost, micros } from '../../shared/platform/values/money.ts';
import { toRecord } from '../../shared/platform/values/typed.ts';
import { generator } from '../../tools/random.ts';

const DAYS = 30;
export const MONTH_MS = DAYS * DAY_MS;
/** Price of each impression, in micro-dollars. */
const COST = impressionCost(fromUsd(4));
/** How many bids of a key lead to an impression, and how many requests to a bid. */
const [BIDS_SHOWN, REQUESTS_BID] = [0.3, 0.4];
/** The publisher's share of charges, in ten-thousandths. */
const SHARE = 7_000;

/** A campaign that served all month. Amounts in USD. */
interface MonthCampaign {
  id: string;
  owner: string;
  name: string;
  budget: number;
  dailyBudget: number;
  /** Its traffic. 1: about 90,000 impressions. */
  volume: number;
  /** The advertiser's domain. */
  domain: string;
  /** The average value of a conversion. Without it, conversions have none. */
  conversionUsd?: number;
  /** Versions of its creative, the first one first: each served in an equal part of the month. */
  creatives: readonly string[];
  /** Ids of topics, the most frequent first. */
  topics: readonly string[];
  /** The most frequent first. */
  countries: readonly string[];
  /** The days at the start of the month that were not broken down, as before the deployment of breakdowns. */
  daysBefore?: number;
  /** What it won by in the previous month, the most frequent first. The last one was shared by too few conversations to be named. */
  terms?: readonly Term[];
}

/** A key that showed the ads. */
interface MonthKey {
  id: string;
  /** Labels of its own tests; the most frequent first. */
  variants: readonly string[];
}

/** What was counted for a campaign on a day, for the same values of all dimensions. */
interface Group {
  campaign: MonthCampaign;
  keyId: string;
  dimensions: DimensionValues;
  impressions: number;
  clicks: number;
  conversions: number;
}

/** Splits a count into parts whose sizes fall as 1, 1/2, 1/3, and so on; the parts add up to the count. */
function split(count: number, parts: number): number[] {
  const weights = Array.from({ length: parts }, (_, part) => 1 / (part + 1));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  let given = 0;
  return weights.map((weight) => {
    reached += weight;
    const part = Math.round((count * reached) / all) - given;
    given += part;
    return part;
  });
}

/** The counts of a campaign on a day: more every week, fewer on weekends, with a click rate of about 1 %. */
function listGroups(campaign: MonthCampaign, keys: readonly MonthKey[], day: number, of: number, now: number): Group[] {
  const random = generator(7 * day + campaign.topics.length + campaign.countries.length);
  const at = now - (of - 1 - day) * DAY_MS;
  const isWeekend = new Date(at).getUTCDay() % 6 === 0;
  const partOfDay = day === of - 1 ? (now % DAY_MS) / DAY_MS : 1;
  const shown = (2_200 + day * 60) * campaign.volume * (isWeekend ? 0.6 : 1) * (0.85 + 0.3 * random()) * partOfDay;
  const creative = campaign.creatives[Math.floor((day * campaign.creatives.length) / of)] ?? NONE;
  const sources = keys.flatMap(({ id, variants }) =>
    (variants.length > 0 ? variants : [NONE]).map((variant) => ({ id, variant })),
  );
  const groups: Group[] = [];
  split(Math.round(shown), sources.length).forEach((ofSource, source) => {
    const { id: keyId, variant } = sources[source]!;
    split(ofSource, campaign.countries.length).forEach((ofCountry, place) => {
      const country = campaign.countries[place]!;
      split(ofCountry, campaign.topics.length + 1).forEach((impressions, subject) => {
        const dimensions = {
          country,
          publisher: keyId,
          topic: campaign.topics[subject] ?? NONE,
          creative,
          variant,
          domain: campaign.domain,
        };
        const chance = impressions * (0.006 + 0.008 * random()) * (1.3 - 0.1 * subject);
        const clicks = Math.floor(chance) + (random() < chance % 1 ? 1 : 0);
        const conversions = Array.from({ length: clicks }, random).filter((drawn) => drawn < 0.07).length;
        if (impressions > 0)
          groups.push({ campaign, keyId, dimensions, impressions, clicks: Math.min(clicks, impressions), conversions });
      });
    });
  });
  return groups;
}

const sumOf = (groups: readonly Group[], name: 'impressions' | 'clicks' | 'conversions'): number =>
  groups.reduce((sum, group) => sum + group[name], 0);
const countNotRelevant = (impressions: number): number => Math.round(impressions / 900);
const countViewable = (impressions: number): number => Math.round(impressions * 0.72);
const countTooMany = (clicks: number): number => Math.floor(clicks / 25);
const getValue = ({ conversionUsd = 0 }: MonthCampaign, conversions: number) =>
  cappedMicros(fromUsd(conversionUsd) * conversions);

function sumDay(campaign: MonthCampaign, groups: readonly Group[], date: string): CampaignDay {
  const [impressions, clicks, conversions] = [
    sumOf(groups, 'impressions'),
    sumOf(groups, 'clicks'),
    sumOf(groups, 'conversions'),
  ];
  const counts = {
    ...NO_COUNTS,
    impressions,
    clicks,
    conversions,
    notRelevant: countNotRelevant(impressions),
    viewableImpressions: countViewable(impressions),
    tooManyClicks: countTooMany(clicks),
  };
  return {
    campaignId: campaign.id,
    date,
    ...counts,
    spend: micros(impressions * COST),
    conversionValue: getValue(campaign, conversions),
  };
}

/**
 * Writes what a month of serving, including today, would have left of these campaigns and keys: ledgers, reports of keys, breakdowns, terms
 * of the previous month, sums of accounts, and statements. Real bids would take an hour. Returns the totals of each campaign.
 * @param of the number of days, including today
 */
export async function seedMonth(
  effects: Effects,
  campaigns: readonly MonthCampaign[],
  keys: readonly MonthKey[],
  of = DAYS,
) {
  const now = effects.clock.now();
  const days = Array.from({ length: of }, (_, day) => ({
    date: utcDay(now - (of - 1 - day) * DAY_MS),
    groups: campaigns.flatMap((campaign) => listGroups(campaign, keys, day, of, now)),
    isBrokenDown: ({ daysBefore = 0 }: MonthCampaign) => day >= daysBefore,
  }));
  const ownerOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const all: CampaignDay[] = [];
  for (const { date, groups, isBrokenDown } of days) {
    const sums = campaigns.map((campaign) =>
      sumDay(
        campaign,
        groups.filter((group) => group.campaign === campaign),
        date,
      ),
    );
    all.push(...sums);
    for (const campaign of campaigns.filter(isBrokenDown))
      await countBreakdown(effects, { campaignId: campaign.id }, date, groups);
    for (const { id: keyId } of keys) await countBreakdown(effects, { keyId }, date, groups);
    if (date === utcDay(now)) continue;
    await accountDayStore(effects).store(date, sums, (id) => ownerOf.get(id)!.owner);
    const statements = buildStatements(sums, ownerOf, date, Date.parse(date) + DAY_MS);
    for (const statement of statements) await statementStore(effects).issue(statement);
  }
  for (const campaign of campaigns) {
    const own = all.filter(({ campaignId }) => campaignId === campaign.id);
    await writeLedger(effects, campaign, own);
    await countTerms(effects, campaign, own);
    const [performance] = await ledgerStore(effects).performance([campaign.id]);
    await publishSpendStats(effects, campaign.owner, toSpendStats(performance!));
  }
  for (const { id } of keys) await useKey(effects, id, days.at(-1)!);
  return new Map(
    campaigns.map(({ id }) => {
      const own = all.filter(({ campaignId }) => campaignId === id);
      const sum = (name: 'impressions' | 'clicks') => own.reduce((total, day) => total + day[name], 0);
      return [id, { impressions: sum('impressions'), clicks: sum('clicks') }];
    }),
  );
}

/** Today's figures come from the balance. */
async function writeLedger(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  { id: campaignId, ...campaign }: MonthCampaign,
  own: readonly CampaignDay[],
) {
  const today = own.at(-1)!;
  const sum = (name: Exclude<keyof CampaignDay, 'campaignId' | 'date'>) =>
    own.reduce((total, day) => total + day[name], 0);
  for (const { date, ...counts } of own) {
    const day = date === today.date ? { ...counts, impressions: 0, spend: micros(0) } : { ...counts, folded: true };
    await db.write({ table: 'ledgers', put: { ...day, campaignId, row: `day#${date}` } });
  }
  const names = ['clicks', 'conversions', 'notRelevant', 'viewableImpressions', 'tooManyClicks'] as const;
  const totals = toRecord(names, sum);
  const lastConversionAt = clock.now() - 40 * MINUTE_MS;
  await db.write({
    table: 'ledgers',
    put: { campaignId, row: 'total', ...totals, conversionValue: micros(sum('conversionValue')), lastConversionAt },
  });
  const spent = micros(sum('spend'));
  const balance = { spent, impressions: sum('impressions'), remaining: micros(fromUsd(campaign.budget) - spent) };
  const dailyBudget = fromUsd(campaign.dailyBudget);
  const ofDay = { day: today.date, dailyBudget, dayRemaining: micros(dailyBudget - today.spend) };
  const counted = { countDay: today.date, dayImpressions: today.impressions, daySpend: today.spend };
  await db.write({ table: 'ledgers', put: { ...balanceKey(campaignId), ...balance, ...ofDay, ...counted } });
}

/** Counts a day's groups as the counting of streams does, and for a key also its report. */
async function countBreakdown(
  effects: Pick<Effects, 'db' | 'clock'>,
  subject: Subject,
  day: string,
  groups: readonly Group[],
) {
  const isKey = 'keyId' in subject;
  const own = groups.filter(({ keyId, campaign }) =>
    isKey ? keyId === subject.keyId : campaign.id === subject.campaignId,
  );
  const values = own.flatMap((group): ValueCounts[] => breakDown(subject, group.dimensions, toAmounts(group, isKey)));
  const counts = isKey ? sumKeyDay(own) : {};
  const place = { shard: 'month', sequence: '1', at: 0 };
  const failures = await createPageCounting(effects)(
    [{ page: firstPage(subject, day), values, counts, mark: '', part: '', place, sequence: '1' }],
    ({ cause }) => Promise.reject(cause),
  );
  if (failures.length > 0) throw failures[0]!.cause;
}

/** Counts what a campaign won by in the previous month, as the counting of streams did before the month was over. */
async function countTerms(effects: Effects, { id, terms = [] }: MonthCampaign, own: readonly CampaignDay[]) {
  const today = new Date(effects.clock.now());
  const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth()) - 1;
  const month = utcDay(end).slice(0, 'YYYY-MM'.length);
  const shown = own.filter(({ date }) => date.startsWith(month));
  if (terms.length === 0 || shown.length === 0) return;
  const random = generator(terms.length);
  const sum = (name: 'impressions' | 'clicks') => shown.reduce((total, day) => total + day[name], 0);
  const counted = terms.map((term, place) => {
    const part = 0.6 / (place + 1) ** 1.2;
    const impressions = Math.round(sum('impressions') * part);
    const clicks = Math.round(sum('clicks') * part * (0.5 + random()));
    return { campaignId: id, month, term, impressions, clicks, seen: place < terms.length - 1 ? ENOUGH : '' };
  });
  const place = { shard: 'month', sequence: '1', at: 0 };
  const failures = await createTermCounting({ ...effects, clock: { ...effects.clock, now: () => end } })(
    [{ terms: counted, place, sequence: '1', mark: 'month' }],
    ({ cause }) => Promise.reject(cause),
  );
  if (failures.length > 0) throw failures[0]!.cause;
}

function toAmounts({ campaign, impressions, clicks, conversions }: Group, isKey: boolean): Amounts {
  const spend = impressions * COST;
  const counts: Amounts = isKey
    ? { bids: countBids(impressions), impressions, clicks, [`charged_${SHARE}`]: spend }
    : { impressions, clicks, conversions, spend, conversionValue: getValue(campaign, conversions) };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

const countBids = (impressions: number): number => Math.round(impressions / BIDS_SHOWN);

/** The counts of a key's day: those of its bids, and its requests without one. */
function sumKeyDay(own: readonly Group[]): Amounts {
  const [impressions, clicks] = [sumOf(own, 'impressions'), sumOf(own, 'clicks')];
  const bids = own.reduce((sum, group) => sum + countBids(group.impressions), 0);
  const requests = Math.round(bids / REQUESTS_BID);
  const unfilled = requests - bids;
  const reasons = {
    noBid_no_match: Math.round(unfilled * 0.6),
    noBid_no_commercial_context: Math.round(unfilled * 0.3),
  };
  const fills = {
    fill_strict: Math.round(bids * 0.6),
    fill_balanced: bids - Math.round(bids * 0.6),
    fill_open: Math.round(bids * 0.2),
  };
  const shown = {
    impressions,
    clicks,
    notRelevant: countNotRelevant(impressions),
    viewableImpressions: countViewable(impressions),
    tooManyClicks: countTooMany(clicks),
    [`charged_${SHARE}`]: impressions * COST,
  };
  return { requests, bids, ...shown, ...reasons, ...fills };
}

/** Lets a key look as after the month's requests. */
async function useKey(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  id: string,
  { date, groups }: { date: string; groups: readonly Group[] },
) {
  const { requests = 0 } = sumKeyDay(groups.filter(({ keyId }) => keyId === id));
  await db.write({
    table: 'api-keys',
    key: { id },
    update: 'SET #lastUsedAt = :time, #requestCount = :all, #day = :day, #dayRequests = :today',
    values: { time: isoTime(clock.now()), all: requests * DAYS, day: date, today: requests },
  });
}
