import { createHmac } from 'node:crypto';
import { type ConversationItem, type ConversationTerms, getCapAttribute } from '../../campaigns/conversation-terms.ts';
import { DAY_MS, ttlAt, utcDay } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Item } from '../../platform/items.ts';
import { remember } from '../../platform/values/cache.ts';
import { idPrefix } from '../../platform/values/ids.ts';

/** Keys whose owners an instance remembers. */
const MAX_OWNERS = 10_000;

/** A conversation that a request names, and what is kept of it. */
export interface StoredConversation {
  hash: string;
  /** undefined where it had no ad that counts in the last 24 hours. */
  item: ConversationItem | undefined;
}

const toConversationItem = (item: Item<'conversations'> | undefined): ConversationItem | undefined =>
  item && 'endsAt' in item ? item : undefined;

/** Conversations by their ids, which are kept as a hash alone: keyed, and bound to the owner of the API key. */
export function createConversations({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const owners = new Map<string, ConversationOwner>();
  const hashesOf = createConversationHasher({ db, ids });

  /** What is kept under some hashes, none of them twice, in one call of the store. */
  async function read(hashes: string[]): Promise<StoredConversation[]> {
    const [first, ...others] = hashes.map((conversation) => ({ conversation }));
    if (!first) return [];
    const found = await (others.length > 0
      ? db.getAll('conversations', [first, ...others])
      : db.get('conversations', first).then((item) => [item]));
    const items = new Map(
      found.flatMap((one) => toConversationItem(one) ?? []).map((item) => [item.conversation, item]),
    );
    return hashes.map((hash) => {
      const item = items.get(hash);
      return { hash, item: item && clock.now() < item.endsAt ? item : undefined };
    });
  }

  return {
    /** Reads a conversation beside the key's own write, where this instance knows whose the key is; undefined otherwise. */
    async readAhead(keyId: string, id: string | undefined): Promise<StoredConversation | undefined> {
      const owner = owners.get(keyId);
      if (!id || !owner) return undefined;
      const [known] = await read(await hashesOf(owner, [id]));
      return known;
    },

    /** Conversations of a key's owner, in the order of their ids; `ahead` is what `readAhead` has brought, of one of these or of another. */
    async find(
      key: ConversationOwner & { id: string },
      ids: string[],
      ahead?: StoredConversation,
    ): Promise<StoredConversation[]> {
      const { owner, mode } = key;
      remember(owners, key.id, { owner, mode }, MAX_OWNERS);
      const hashes = await hashesOf(key, ids);
      const unread = new Set(hashes.filter((hash) => hash !== ahead?.hash));
      const known = new Map((await read([...unread])).map((one) => [one.hash, one]));
      if (ahead) known.set(ahead.hash, ahead);
      return hashes.map((hash) => known.get(hash) ?? { hash, item: undefined });
    },
  };
}

const HASH_DIGITS = 22;

/** Whose a conversation is. */
interface ConversationOwner {
  owner: string;
  mode: 'live' | 'test';
}

/** Hashes the ids of conversations: keyed, and bound to the owner of the API key. The ids themselves are never stored. */
function createConversationHasher({ db, ids }: Pick<Effects, 'db' | 'ids'>) {
  /** The text, never its promise: no request waits for what another has begun to read, which may have been given up. */
  let secret: string | undefined;

  async function secretKey(): Promise<string> {
    secret ??= await findSecret();
    return secret;
  }

  async function findSecret(): Promise<string> {
    const key = { conversation: '#secret' };
    const made = { conversation: '#secret' as const, secret: Buffer.from(ids.bytes(32)).toString('base64url') };
    const found = await db.get('conversations', key);
    if (found && 'secret' in found) return found.secret;
    // Settles the race of instances that make the first one.
    const { ok, ...written } = await db.write({
      table: 'conversations',
      put: made,
      when: 'attribute_not_exists(#conversation)',
    });
    const old = 'old' in written ? written.old : undefined;
    return ok || !old || !('secret' in old) ? made.secret : old.secret;
  }

  /** Of test bids another than of live ones, which they do not count against. */
  return async function hashesOf({ owner, mode }: ConversationOwner, conversationIds: string[]): Promise<string[]> {
    const secret = await secretKey();
    return conversationIds.map((id) =>
      createHmac('sha256', secret)
        .update(`${mode === 'test' ? '\0' : ''}${owner}\n${id}`)
        .digest('base64url')
        .slice(0, HASH_DIGITS),
    );
  };
}

/** How long a conversation is kept after its first ad, however many follow. */
const CONVERSATION_TTL_MS = DAY_MS;
/** Ads of one conversation whose counts are kept; beyond it there are none, so that its item stays small whatever is called a conversation. */
const MAX_ADS = 200;
/** Counts of campaigns that one conversation has, so that its item stays within 1 KB; races of ads may add a few. */
const MAX_CAPPED_CAMPAIGNS = 20;

/**
 * Why no further ad fits into a conversation now, by what its publisher asks; null when one does.
 * @param adsInAnswer ads that the same answer has already
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

/** Whether a campaign has been shown in a conversation as often as its cap allows, or could not be counted in it any more. */
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
 * Counts an ad in its conversation, on condition that it still fits: settles the race of ads that were won while none of them was shown.
 * @param ended the item of a conversation that has ended and that the store has not dropped yet: a new one takes its place
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
  // A count of the day before does not matter any more, whether or not there is one.
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

/** The conversation in whose way a refused count stood because it has ended: its place may be taken. */
export const getEndedConversation = (old: Item | undefined, now: number): ConversationItem | undefined =>
  old && 'ads' in old && old.endsAt <= now ? old : undefined;
