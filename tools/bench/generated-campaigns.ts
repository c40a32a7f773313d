import { deserialize, serialize } from 'node:v8';
import { BatchWriteItemCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createTable } from '../../infra/local/dynamodb.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { EMPTY_CREATIVE } from '../../shared/campaigns/creative.ts';
import { toCampaignItem } from '../../shared/campaigns/items.ts';
import { toStatsItem } from '../../shared/campaigns/publish-stats.ts';
import type { Lexicon } from '../../shared/matching/index.ts';
import { buildMatchingProfile } from '../../shared/matching/index.ts';
import type { Database } from '../../shared/platform/database.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import type { Item } from '../../shared/platform/items.ts';
import { micros } from '../../shared/platform/values/money.ts';
import { inParallel } from '../parallel.ts';
import { generateMarket } from './market.ts';

/** The time of the first campaign, a week ago. Each following one is a second later. */
const WRITTEN_AT = Date.now() - 7 * 24 * 3_600_000;
const BATCH = 25;
/** Typical number of keywords, and of characters in a creative. */
const KEYWORDS = 20;
const SENTENCE = 'Hand-picked, well made and delivered to your door; free returns for sixty days, no questions asked. ';
const TEXT = SENTENCE.repeat(2);

/** Generated stored campaigns with texts of typical length and some history. */
function* generated(
  size: number,
  lexicon: Lexicon,
): Generator<[campaign: Item<'campaigns'>, stats: Item<'campaigns'>]> {
  for (const [i, { audience, ceiling }] of generateMarket(size, { keywords: KEYWORDS }).campaigns.entries()) {
    const campaign = createCampaignRecord(i, audience, ceiling, lexicon);
    yield [toCampaignItem(campaign), toStatsItem(campaign.owner, createSpendStats(campaign.id, i), campaign.changedAt)];
  }
}

/** Generated campaigns as the index returns them, created in advance to keep generation out of measurements. */
export function createGeneratedQuery(size: number, lexicon: Lexicon): Database['query'] {
  const items = [...generated(size, lexicon)].flat().map((item) => serialize(item));
  return async function* () {
    for (const item of items) yield deserialize(item);
  };
}

/** Fills the tables with generated campaigns. */
export async function storeCampaigns(
  client: DynamoDBClientConfig,
  prefix: string,
  size: number,
  lexicon: Lexicon,
): Promise<void> {
  const dynamoDb = new DynamoDBClient(client);
  // Create the table without a stream, because stream records slow down the stand-in.
  await dynamoDb.send(createTable(prefix, 'campaigns', { isStreamed: false }));
  const pairs = [...generated(size, lexicon)];
  const starts = Array.from({ length: Math.ceil(size / BATCH) }, (_, batch) => batch * BATCH);
  await inParallel(starts, 4, async (start) => {
    const batch = pairs.slice(start, start + BATCH);
    for (const half of [batch.map(([campaign]) => campaign), batch.map(([, stats]) => stats)]) {
      const requests = half.map((item) => ({ PutRequest: { Item: marshall(item) } }));
      await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [`${prefix}campaigns`]: requests } }));
    }
  });
}

type Audience = ReturnType<typeof generateMarket>['campaigns'][number]['audience'];

function createCampaignRecord(i: number, audience: Audience, ceiling: number, lexicon: Lexicon): Campaign {
  const headline = `${audience.keywords[0]}, made for you`;
  const time = new Date(WRITTEN_AT + 1_000 * i).toISOString();
  return {
    id: systemIds.ordered('campaign'),
    owner: `advertiser-${i % 5_000}`,
    name: `Campaign ${i} for ${audience.keywords[0]}`,
    description: TEXT,
    budget: micros(500_000_000),
    dailyBudget: micros(50_000_000),
    targetAudience: {
      keywords: audience.keywords,
      excludedKeywords: audience.excludedKeywords,
      demographics: { ageRange: '18-65', interests: ['Shopping'] },
      countries: i % 3 === 0 ? ['US', 'GB'] : [],
      categories: [],
    },
    creative: {
      ...EMPTY_CREATIVE,
      headline,
      description: TEXT,
      callToAction: 'Find yours',
      landingUrl: `https://shop-${i % 5_000}.example/products/${i}?source=assistant`,
      imageUrl: `https://shop-${i % 5_000}.example/images/${i}.jpg`,
      sponsoredBy: `Shop ${i % 5_000}`,
    },
    bidStrategy: i % 2 ? 'auto' : 'manual',
    maxCpb: micros(ceiling),
    targetCpa: null,
    status: 'active',
    startDate: null,
    endDate: null,
    pausedReason: null,
    pausedDay: null,
    exhaustions: 0,
    profile: buildMatchingProfile({ ...audience, headline, description: TEXT, callToAction: 'Find yours' }, lexicon),
    createdAt: time,
    updatedAt: time,
    changedAt: WRITTEN_AT + 1_000 * i,
    version: 1,
  };
}

const createSpendStats = (id: string, i: number) => ({
  id,
  spent: 1_000 * (i % 997),
  day: '2026-11-20',
  spentToday: 1_000 * (i % 97),
  impressions: i % 997,
  clicks: i % 13,
  chargedClicks: i % 13,
  conversions: i % 3,
  chargedConversions: i % 3,
});
