import type { Biddable } from '../../campaigns/biddable.ts';
import { createCategoryFilters } from '../../campaigns/category.ts';
import type { ConversationTerms } from '../../campaigns/conversation-terms.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { toPublisherId } from '../../keys/publisher-id.ts';
import type { KeySettings } from '../../keys/setting-fields.ts';
import type { Lexicon, Message } from '../../matching/index.ts';
import type { Effects } from '../../platform/effects.ts';
import { createSecretReader } from '../../platform/service-secret.ts';
import { remember } from '../../platform/values/cache.ts';
import type { Outcome } from '../../platform/values/outcomes.ts';
import { domainFilter } from '../../platform/values/urls.ts';
import {
  createConversations,
  getReachedLimit,
  isFrequencyCapped,
  type StoredConversation,
} from '../conversations/conversations.ts';

/** 24 bits of a conversation's hash: many conversations share them, but hardly two of one campaign. */
const CODE_DIGITS = 4;
/** Maximum number of cached publisher IDs, each of an advertiser and a key. */
const MAX_PUBLISHER_IDS = 10_000;

/** A request's conversation. Without `turn`, the user messages are counted. */
interface ConversationReference {
  id?: string | null;
  turn?: number | null;
  messages: readonly Message[];
}

/** An ad slot, with the limits of its publisher and its conversation. */
export interface AdSlot {
  /** Why this slot excludes the campaign, or null. @param adsInAnswer ads for this conversation already in the same response */
  getExclusion(campaign: Biddable, adsInAnswer?: number): Outcome | null;
  /** How many of `ads` fit the conversation's limits in one response. */
  countRoom(ads: number): number;
  /** The conversation limits that a bid must store; undefined if nothing limits the campaign's ad. */
  getConversationTerms(campaign: Biddable): ConversationTerms | undefined;
  /** Tells the conversations of an owner apart; undefined if the request names none. */
  conversationCode?: string;
}

/** Finds the ad slot of a request, from the publisher's settings and the conversation's ad counts. */
export function createAdSlots(effects: Pick<Effects, 'db' | 'clock' | 'ids'>, lexicon: Lexicon) {
  const { clock } = effects;
  const readSecret = createSecretReader(effects);
  const conversations = createConversations(effects, readSecret);
  const categoryFilter = createCategoryFilters(lexicon);
  const blockChecks = new WeakMap<KeySettings, IsBlocked>();
  const publisherIds = new Map<string, string>();

  function getBlockCheck(settings: KeySettings) {
    const cached = blockChecks.get(settings);
    if (cached) return cached;
    const isBlockedDomain = domainFilter(settings.blockedDomains);
    const isBlockedCategory = categoryFilter(settings.blockedCategories);
    const isBlocked = (campaign: Biddable) => isBlockedDomain(campaign.domain) || isBlockedCategory(campaign);
    blockChecks.set(settings, isBlocked);
    return isBlocked;
  }

  /** Whether a campaign excludes the publisher of a key. Only campaigns that exclude any need a hash, and hashes are kept. */
  function excludesPublisher({ owner, excludedPublishers }: Biddable, keyId: string, secret: string): boolean {
    if (!excludedPublishers) return false;
    const pair = `${owner}\n${keyId}`;
    const id = publisherIds.get(pair) ?? toPublisherId(secret, owner, keyId);
    remember(publisherIds, pair, id, MAX_PUBLISHER_IDS);
    return excludedPublishers.includes(id);
  }

  /** Returns one slot for each reference, in order. Reads all conversations at once. */
  async function findAll(
    key: Pick<ApiKey, 'id' | 'owner' | 'mode'>,
    settings: KeySettings,
    references: ConversationReference[],
    ahead?: StoredConversation,
  ): Promise<AdSlot[]> {
    const ids = [...new Set(references.flatMap(({ id }) => id || []))];
    const stored = ids.length > 0 ? await conversations.find(key, ids, ahead) : [];
    const secret = await readSecret();
    const isBlockedHere = getBlockCheck(settings);
    const getRefusal = (campaign: Biddable) =>
      isBlockedHere(campaign) ? 'blocked' : excludesPublisher(campaign, key.id, secret) ? 'excluded_publisher' : null;
    return references.map(({ id, turn, messages }) => {
      const conversation = id ? stored[ids.indexOf(id)] : undefined;
      return conversation
        ? toConversationSlot(conversation, turn ?? countUserTurns(messages), settings, getRefusal, clock)
        : toUnlimitedSlot(getRefusal);
    });
  }

  return {
    /** Reads the conversation, and once per instance the secret, in parallel with the write that authenticates the key. */
    async readAhead(keyId: string, id: string | undefined): Promise<StoredConversation | undefined> {
      const [conversation] = await Promise.all([conversations.readAhead(keyId, id), readSecret()]);
      return conversation;
    },

    findAll,

    async find(
      key: Pick<ApiKey, 'id' | 'owner' | 'mode'>,
      settings: KeySettings,
      reference: Omit<ConversationReference, 'messages'> | null | undefined,
      messages: readonly Message[],
      ahead?: StoredConversation,
    ): Promise<AdSlot> {
      const [slot] = await findAll(key, settings, [{ ...reference, messages }], ahead);
      return slot!;
    },
  };
}

const countUserTurns = (messages: readonly Message[]): number => messages.filter(({ role }) => role === 'user').length;

type IsBlocked = (campaign: Biddable) => boolean;
/** Why the publisher and the campaign do not want each other, or null. */
type GetRefusal = (campaign: Biddable) => Outcome | null;

function toConversationSlot(
  conversation: StoredConversation,
  turn: number,
  { turnSpacing, adsPerConversation }: KeySettings,
  getRefusal: GetRefusal,
  clock: Effects['clock'],
): AdSlot {
  const limits = {
    ...(turnSpacing > 0 && { turnSpacing }),
    ...(adsPerConversation !== null && { adsPerConversation }),
  };
  const limitAfter = (adsInAnswer: number) => getReachedLimit(conversation.item, { turn, ...limits }, adsInAnswer);
  return {
    getExclusion(campaign, adsInAnswer = 0) {
      return (
        getRefusal(campaign) ??
        limitAfter(adsInAnswer) ??
        (isFrequencyCapped(conversation.item, campaign, clock.now()) ? 'frequency_cap' : null)
      );
    },
    countRoom(ads) {
      let room = 0;
      while (room < ads && !limitAfter(room)) room++;
      return room;
    },
    getConversationTerms: ({ frequencyCap }) =>
      frequencyCap || Object.keys(limits).length > 0
        ? { hash: conversation.hash, turn, ...limits, ...(frequencyCap && { frequencyCap }) }
        : undefined,
    conversationCode: conversation.hash.slice(0, CODE_DIGITS),
  };
}

/** A slot without a conversation: only the blocks of publisher and advertiser apply. */
const toUnlimitedSlot = (getRefusal: GetRefusal): AdSlot => ({
  getExclusion: getRefusal,
  countRoom: (ads) => ads,
  getConversationTerms: () => undefined,
});
