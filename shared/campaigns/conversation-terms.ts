import type { SecretItem } from '../platform/service-secret.ts';
import { type IdOf, idPrefix } from '../platform/values/ids.ts';

/** Limit on impressions of a campaign in one conversation: in total, or per UTC day. */
export interface FrequencyCap {
  impressions: number;
  per: 'conversation' | 'day';
}

/** The limits on ads in the conversation of a bid. */
export interface ConversationTerms {
  /** Key under which the conversation is stored. */
  hash: string;
  /** User turns so far. */
  turn: number;
  /** Minimum number of turns between two ads; absent if the publisher sets none. */
  turnSpacing?: number;
  adsPerConversation?: number;
  frequencyCap?: FrequencyCap;
}

/** A stored conversation: its number of ads, the turn of the last one, and impressions by campaign with a frequency cap. */
export type ConversationItem = {
  conversation: string;
  /** Epoch milliseconds. */
  endsAt: number;
  ttl: number;
  ads: number;
  lastTurn?: number;
} & { [Count in IdOf<'campaign'>]?: number };

declare module '../platform/items.ts' {
  interface Items {
    conversations: ConversationItem | SecretItem;
  }
}

/** Name of the attribute that counts a campaign's impressions for its frequency cap. */
export const getCapAttribute = (campaignId: string, { per }: FrequencyCap, day: string): IdOf<'campaign'> =>
  `${idPrefix('campaign')}${campaignId.slice(idPrefix('campaign').length)}${per === 'day' ? `_${day.replaceAll('-', '')}` : ''}`;
