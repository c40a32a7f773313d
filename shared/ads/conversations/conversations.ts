import { createHmac } from 'node:crypto';
import { type ConversationItem, type ConversationTerms, getCapAttribute } from '../../campaigns/conversation-terms.ts';
import { DAY_MS, ttlAt, utcDay } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Item } from '../../platform/items.ts';
import { remember } from '../../platform/values/cache.ts';
import { idPrefix } from '../../platform/values/ids.ts';

const MAX_OWNERS = 10_000;

type ReadSecret = () => Promise<string>;

/** A conversation of a request, with its stored ad counts. */
export interface StoredConversation {
  hash: string;
  /** Undefined if the conversation had no counted ad in the last 24 hours. */
  item: ConversationItem | undefined;
}

const toConversationItem = (item: Item<'conversations'> | undefined): ConversationItem | undefined =>
  item && 'endsAt' in item ? item : undefined;

/** Reads conversations by id. Only a keyed hash of the id, bound to the owner of the API key, is stored. */
export function createConversations({ db, clock }: Pick<Effects, 'db' | 'clock'>, readSecret: ReadSecret) {
  const owners = new Map<string, ConversationOwner>();
  const hashIds = createConversationHasher(readSecret);

  /** Reads conversations in one store call. The hashes must be distinct. */
  async function read(hashes: string[]): Promise<StoredConversation[]> {
    const [first, ...others] = hashes.map((conversation) => ({ conversation }));
    if (!first) return [];
    const rows = await (others.length > 0
      ? db.getAll('conversations', [first, ...others])
      : db.get('conversations', first).then((item) => [item]));
    const items = new Map(
      rows.flatMap((row) => toConversationItem(row) ?? []).map((item) => [item.conversation, item]),
    );
    return hashes.map((hash) => {
      const item = items.get(hash);
      return { hash, item: item && clock.now() < item.endsAt ? item : undefined };
    });
  }

  return {
    /** Reads a conversation in parallel with the key's write, if this instance already knows the key's owner; undefined otherwise. */
    async readAhead(keyId: string, id: string | undefined): Promise<StoredConversation | undefined> {
      const owner = owners.get(keyId);
      if (!id || !owner) return undefined;
      const [conversation] = await read(await hashIds(owner, [id]));
      return conversation;
    },

    /**
     * Finds conversations of a key's owner, in the order of `ids`.
     * @param ahead result of `readAhead`; ignored if it is for another conversation
     */
    async find(
      key: ConversationOwner & { id: string },
      ids: string[],
      ahead?: StoredConversation,
    ): Promise<StoredConversation[]> {
      const { owner, mode } = key;
      remember(owners, key.id, { owner, mode }, MAX_OWNERS);
      const hashes = await hashIds(key, ids);
      const unread = new Set(hashes.filter((hash) => hash !== ahead?.hash));
      const byHash = new Map((await read([...unread])).map((conversation) => [conversation.hash, conversation]));
      if (ahead) byHash.set(ahead.hash, ahead);
      return hashes.map((hash) => byHash.get(hash) ?? { hash, item: undefined });
    },
  };
}

const HASH_DIGITS = 22;

interface ConversationOwner {
  owner: string;
  mode: 'live' | 'test';
}

/** Hashes conversation ids with a secret key and the owner of the API key, so that the ids are never stored and owners never collide. */
function createConversationHasher(readSecret: ReadSecret) {
  /** Test and live bids get different hashes, so that test ads do not count towards live limits. */
  return async function hashIds({ owner, mode }: ConversationOwner, conversationIds: string[]): Promise<string[]> {
    const secret = await readSecret();
    return conversationIds.map((id) =>
      createHmac('sha256', secret)
        .update(`${mode === 'test' ? '\0' : ''}${owner}\n${id}`)
        .digest('base64url')
        .slice(0, HASH_DIGITS),
    );
  };
}

/** Retention after the first ad; further ads do not extend it. */
const CONVERSATION_TTL_MS = DAY_MS;
/** Limit for every conversation, so that its item stays small even if a publisher uses one id for everything. */
const MAX_ADS = 200;
/** Campaigns counted in one conversation, so that its item stays within 1 KB. Concurrent ads may exceed it slightly. */
const MAX_CAPPED_CAMPAIGNS = 20;

/**
 * Which limit of the publisher prevents another ad in the conversation, or null.
 * @param adsInAnswer ads already in the same response
 */
export function getReachedLimit(
  item: ConversationItem | undefined,
  { turn, turnSpacing = 0, adsPerConversation = MAX_ADS }: Omit<ConversationTerms, 'hash' | 'frequencyCap'>,
  adsInAnswer: number,
): 'turn_spacing' | 'frequency_cap' | null {
  if ((item?.ads ?? 0) + adsInAnswer >= Math.min(adsPerConversation, MAX_ADS)) return 'frequency_cap';
  const lastTurn = adsInAnswer > 0 ? turn : item?.lastTurn;
  return turnSpacing > 0 && lastTurn !== undefined && turn - lastTurn < turnSpacing ? 'turn_spacing' : null;
}

/** Whether a campaign has reached its frequency cap in a conversation. True as well if the item has no room to count it. */
export function isFrequencyCapped(
  item: ConversationItem | undefined,
  { id, frequencyCap }: { id: string; frequencyCap?: ConversationTerms['frequencyCap'] },
  now: number,
): boolean {
  if (!item || !frequencyCap) return false;
  const count = item[getCapAttribute(id, frequencyCap, utcDay(now))];
  return count === undefined ? countCapped(item) >= MAX_CAPPED_CAMPAIGNS : count >= frequencyCap.impressions;
}

const countCapped = (item: ConversationItem): number =>
  Object.keys(item).filter((name) => name.startsWith(idPrefix('campaign'))).length;

/**
 * Counts an ad in its conversation if the limits still allow it; several bids may win before any of their ads is shown.
 * @param ended the expired item of the conversation, if the TTL has not deleted it yet; it is replaced
 */
export function countAd(
  { hash, turn, turnSpacing = 0, adsPerConversation = MAX_ADS, frequencyCap }: ConversationTerms,
  campaignId: string,
  now: number,
  ended?: ConversationItem,
): Write<'conversations'> {
  const endsAt = now + CONVERSATION_TTL_MS;
  const ttl = ttlAt(endsAt);
  const count = frequencyCap && getCapAttribute(campaignId, frequencyCap, utcDay(now));
  // Drop yesterday's count to keep the item small.
  const outdated =
    frequencyCap?.per === 'day' ? getCapAttribute(campaignId, frequencyCap, utcDay(now - DAY_MS)) : undefined;
  if (ended) {
    const put: ConversationItem = {
      conversation: hash,
      endsAt,
      ttl,
      ads: 1,
      lastTurn: turn,
      ...(count && { [count]: 1 }),
    };
    return { table: 'conversations', put, when: '#endsAt = :ended', values: { ended: ended.endsAt } };
  }
  const isNew = 'attribute_not_exists(#conversation)';
  const fits = [
    '#endsAt > :now',
    '#ads < :most',
    ...(turnSpacing > 0 ? ['#lastTurn <= :latest'] : []),
    ...(count ? [`(attribute_not_exists(#${count}) OR #${count} < :cap)`] : []),
  ];
  return {
    table: 'conversations',
    key: { conversation: hash },
    update: `SET #lastTurn = :turn, #endsAt = if_not_exists(#endsAt, :endsAt), #ttl = if_not_exists(#ttl, :ttl) ADD #ads :one${count ? `, #${count} :one` : ''}${outdated ? ` REMOVE #${outdated}` : ''}`,
    when: `${isNew} OR (${fits.join(' AND ')})`,
    values: {
      now,
      turn,
      endsAt,
      ttl,
      one: 1,
      most: Math.min(adsPerConversation, MAX_ADS),
      ...(turnSpacing > 0 && { latest: turn - turnSpacing }),
      ...(count && { cap: frequencyCap!.impressions }),
    },
  };
}

/** The row that failed the condition, if it is an expired conversation. Such a row may be replaced. */
export const getEndedConversation = (old: Item | undefined, now: number): ConversationItem | undefined =>
  old && 'ads' in old && old.endsAt <= now ? old : undefined;
