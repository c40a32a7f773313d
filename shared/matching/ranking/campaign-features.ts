import type { DemandIndex } from '../inventory/demand-index.ts';
import type { ConversationReading } from '../reading/reading.ts';
import type { KeywordFeatures, KeywordMatcher } from './keywords.ts';
import { topicScore } from './relevance.ts';

/** What speaks for one campaign in a conversation. */
interface CampaignFeatures {
  /** What the best of its topics adds to its log-odds. */
  bestTopicScore: number;
  keywordFeatures: KeywordFeatures;
  /** Where the excluded keywords begin in the campaign's record. */
  exclusions: number;
}

export function campaignFeatures(
  { records, slots }: DemandIndex,
  slot: number,
  reading: ConversationReading,
  keywords: KeywordMatcher,
): CampaignFeatures {
  let at = slots.recordStart(slot);
  let bestTopicScore = 0;
  for (let topics = records.at(at++); topics > 0; topics--, at += 2)
    bestTopicScore = Math.max(bestTopicScore, topicScore(reading, records.at(at), records.at(at + 1) / 100));
  const keywordFeatures = keywords.match(at);
  for (let left = records.at(at++); left > 0; left--) at += 2 + records.at(at);
  return { bestTopicScore, keywordFeatures, exclusions: at };
}
