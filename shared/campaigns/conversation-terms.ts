import { type IdOf, idPrefix } from '../platform/values/ids.ts';

/** How often a campaign may be shown in one conversation: in all, or in a UTC day. */
export interface FrequencyCap {
  impressions: number;
  per: 'conversation' | 'day';
}

/** What a bid carries of its conversation, where anything limits the ads in it. */
export interface ConversationTerms {
  /** Under which the conversation is kept. */
  hash: string;
  /** User turns so far. */
  turn: number;
  /** Turns that have to be between one ad and the next; absent where the publisher asks for none. */
  turnSpacing?: number;
  adsPerConversation?: number;
  frequencyCap?: FrequencyCap;
}

/** What is kept of a conversation: how many ads it had, at which turn the last, and how many of each campaign that has a cap. */
export type ConversationItem = {
  conversation: string;
  /** Epoch milliseconds. */
  endsAt: number;
  ttl: number;
  ads: number;
  lastTurn?: number;
} & { [Count in IdOf<'campaign'>]?: number };

/** What makes hashes of conversations keyed; the service makes it when it first needs one. */
interface SecretItem {
  conversation: '#secret';
  secret: string;
}

declare module '../platform/items.ts' {
  interface Items {
    conversations: ConversationItem | SecretItem;
  }
}

/** The attribute that counts a campaign's impressions under its cap. */
export const getCapAttribute = (campaignId: string, { per }: FrequencyCap, day: string): IdOf<'campaign'> =>
  `${idPrefix('campaign')}${campaignId.slice(idPrefix('campaign').length)}${per === 'day' ? `_${day.replaceAll('-', '')}` : ''}`;
