import type { DemandIndex } from '../inventory/demand-index.ts';
import type { ConversationReading } from '../reading/reading.ts';
import type { KeywordMatcher } from './keywords.ts';
import { type Grounds, topicScore } from './relevance.ts';

/** What speaks for one campaign in a conversation. */
interface CampaignFeatures extends Grounds {
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
  let best = 0;
  let latest = 0;
  for (let topics = records.at(at++); topics > 0; topics--, at += 2) {
    const topic = records.at(at);
    const affinity = records.at(at + 1) / 100;
    best = Math.max(best, topicScore(reading, topic, affinity));
    latest = Math.max(latest, affinity * (reading.latest.topics[topic] ?? 0));
  }
  return { topicScore: best, latest, keywords: keywords.match(at), exclusions: keywords.end };
}
