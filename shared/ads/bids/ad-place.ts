import type { Biddable } from '../../campaigns/biddable.ts';
import { createCategoryFilters } from '../../campaigns/category.ts';
import type { ConversationTerms } from '../../campaigns/conversation-terms.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import type { KeySettings } from '../../keys/setting-fields.ts';
import type { Lexicon, Message } from '../../matching/index.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Outcome } from '../../platform/values/outcomes.ts';
import { domainFilter } from '../../platform/values/urls.ts';
import {
  createConversations,
  getReachedLimit,
  isFrequencyCapped,
  type StoredConversation,
} from '../conversations/conversations.ts';

/** How a request names its conversation; its turns are counted where they are not told. */
interface ConversationReference {
  id?: string | null;
  turn?: number | null;
  messages: readonly Message[];
}

/** The place that an ad is wanted for, as its publisher and its conversation limit it. */
export interface AdSlot {
  /** Why it is none for a campaign; null when it is one. @param adsInAnswer ads that the answer has already for this conversation */
  getExclusion(campaign: Biddable, adsInAnswer?: number): Outcome | null;
  /** How many of so many ads the conversation has room for in one answer. */
  countRoom(ads: number): number;
  /** What a bid of a campaign carries of the conversation; undefined where nothing limits its ad there. */
  getConversationTerms(campaign: Biddable): ConversationTerms | undefined;
}

/** Says what publishers exclude, and what conversations have had enough of. */
export function createAdSlots(effects: Pick<Effects, 'db' | 'clock' | 'ids'>, lexicon: Lexicon) {
  const { clock } = effects;
  const conversations = createConversations(effects);
  const categoryFilter = createCategoryFilters(lexicon);
  const blockChecks = new WeakMap<KeySettings, IsBlocked>();

  function getBlockCheck(settings: KeySettings) {
    const known = blockChecks.get(settings);
    if (known) return known;
    const isBlockedDomain = domainFilter(settings.blockedDomains);
    const isBlockedCategory = categoryFilter(settings.blockedCategories);
    const isBlocked = (campaign: Biddable) => isBlockedDomain(campaign.domain) || isBlockedCategory(campaign);
    blockChecks.set(settings, isBlocked);
    return isBlocked;
  }

  /** The places that some references name, in their order; their conversations are read at once. */
  async function findAll(
    key: Pick<ApiKey, 'id' | 'owner' | 'mode'>,
    settings: KeySettings,
    references: ConversationReference[],
    ahead?: StoredConversation,
  ): Promise<AdSlot[]> {
    const named = [...new Set(references.flatMap(({ id }) => id || []))];
    const found = named.length > 0 ? await conversations.find(key, named, ahead) : [];
    return references.map(({ id, turn, messages }) => {
      const known = id ? found[named.indexOf(id)] : undefined;
      const isBlocked = getBlockCheck(settings);
      return known
        ? toConversationSlot(known, turn ?? countUserTurns(messages), settings, isBlocked, clock)
        : toUnlimitedSlot(isBlocked);
    });
  }

  return {
    /** Reads a request's conversation beside the key's own write. */
    readAhead: conversations.readAhead,

    findAll,

    async find(
      key: Pick<ApiKey, 'id' | 'owner' | 'mode'>,
      settings: KeySettings,
      reference: Omit<ConversationReference, 'messages'> | null | undefined,
      messages: readonly Message[],
      ahead?: StoredConversation,
    ): Promise<AdSlot> {
      const [place] = await findAll(key, settings, [{ ...reference, messages }], ahead);
      return place!;
    },
  };
}

const countUserTurns = (messages: readonly Message[]): number => messages.filter(({ role }) => role === 'user').length;

type IsBlocked = (campaign: Biddable) => boolean;

function toConversationSlot(
  known: StoredConversation,
  turn: number,
  { turnSpacing, adsPerConversation }: KeySettings,
  isBlocked: IsBlocked,
  clock: Effects['clock'],
): AdSlot {
  const limits = {
    ...(turnSpacing > 0 && { turnSpacing }),
    ...(adsPerConversation !== null && { adsPerConversation }),
  };
  const limitAfter = (adsInAnswer: number) => getReachedLimit(known.item, { turn, ...limits }, adsInAnswer);
  return {
    getExclusion(campaign, adsInAnswer = 0) {
      if (isBlocked(campaign)) return 'blocked';
      return limitAfter(adsInAnswer) ?? (isFrequencyCapped(known.item, campaign, clock.now()) ? 'frequency_cap' : null);
    },
    countRoom(ads) {
      let room = 0;
      while (room < ads && !limitAfter(room)) room++;
      return room;
    },
    getConversationTerms: ({ frequencyCap }) =>
      frequencyCap || Object.keys(limits).length > 0
        ? { hash: known.hash, turn, ...limits, ...(frequencyCap && { frequencyCap }) }
        : undefined,
  };
}

/** Where no conversation is named: what the publisher blocks stays out. */
const toUnlimitedSlot = (isBlocked: IsBlocked): AdSlot => ({
  getExclusion: (campaign) => (isBlocked(campaign) ? 'blocked' : null),
  countRoom: (ads) => ads,
  getConversationTerms: () => undefined,
});
