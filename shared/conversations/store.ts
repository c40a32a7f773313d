import { createHmac } from 'node:crypto';
import { DAY_MS, ttlAt, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { remember } from '../values/remember.ts';
import { type ConversationItem, type ConversationTerms, countOf } from './terms.ts';

/** How long a conversation is kept after its first ad, however many follow. */
const KEPT_MS = DAY_MS;
/** Ads of one conversation whose counts are kept; beyond it there are none, so that its item stays small whatever is called a conversation. */
const MOST_ADS = 200;
/** Counts of campaigns that one conversation has, so that its item stays within 1 KB; races of ads may add a few. */
const MOST_COUNTS = 20;
/** Keys whose owners an instance remembers. */
const MOST_OWNERS = 10_000;
const HASH_DIGITS = 22;

/** A conversation that a request names, and what is kept of it. */
export interface KnownConversation {
  hash: string;
  /** undefined where it had no ad that counts in the last 24 hours. */
  item: ConversationItem | undefined;
}

/** Whose a conversation is. */
interface Owner {
  owner: string;
  mode: 'live' | 'test';
}

const conversationOf = (item: Item<'conversations'> | undefined): ConversationItem | undefined =>
  item && 'endsAt' in item ? item : undefined;

/** Conversations by their ids, which are kept as a hash alone: keyed, and bound to the owner of the API key. */
export function createConversations({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const owners = new Map<string, Owner>();
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
  const hashOf = async ({ owner, mode }: Owner, id: string): Promise<string> =>
    createHmac('sha256', await secretKey())
      .update(`${mode === 'test' ? '\0' : ''}${owner}\n${id}`)
      .digest('base64url')
      .slice(0, HASH_DIGITS);

  async function read(hash: string): Promise<KnownConversation> {
    const item = conversationOf(await db.get('conversations', { conversation: hash }));
    return { hash, item: item && clock.now() < item.endsAt ? item : undefined };
  }

  return {
    /** Begins to read a conversation beside the key's own write, where this instance knows whose the key is; undefined otherwise. */
    async begin(keyId: string, id: string | undefined): Promise<KnownConversation | undefined> {
      const owner = owners.get(keyId);
      return id && owner ? read(await hashOf(owner, id)) : undefined;
    },

    /** A conversation of a key's owner; `begun` is what `begin` has brought, of this one or of another. */
    async find(key: Owner & { id: string }, id: string, begun?: KnownConversation): Promise<KnownConversation> {
      const { owner, mode } = key;
      remember(owners, key.id, { owner, mode }, MOST_OWNERS);
      const hash = await hashOf(key, id);
      return begun?.hash === hash ? begun : read(hash);
    },
  };
}

/**
 * Why no further ad fits into a conversation now, by what its publisher asks; null when one does.
 * @param given ads that the same answer has already
 */
export function refusalIn(
  item: ConversationItem | undefined,
  { turn, turnSpacing = 0, adsPerConversation = MOST_ADS }: Omit<ConversationTerms, 'hash' | 'frequencyCap'>,
  given: number,
): 'turn_spacing' | 'frequency_cap' | null {
  if ((item?.ads ?? 0) + given >= Math.min(adsPerConversation, MOST_ADS)) return 'frequency_cap';
  const lastTurn = given > 0 ? turn : item?.lastTurn;
  return turnSpacing > 0 && lastTurn !== undefined && turn - lastTurn < turnSpacing ? 'turn_spacing' : null;
}

/** Whether a campaign has been shown in a conversation as often as its cap allows, or could not be counted in it any more. */
export function isCapped(
  item: ConversationItem | undefined,
  { id, frequencyCap }: { id: string; frequencyCap?: ConversationTerms['frequencyCap'] },
  now: number,
): boolean {
  if (!item || !frequencyCap) return false;
  const count = item[countOf(id, frequencyCap, utcDay(now))];
  return count === undefined ? countsIn(item) >= MOST_COUNTS : count >= frequencyCap.impressions;
}

const countsIn = (item: ConversationItem): number => Object.keys(item).filter((name) => name.startsWith('cmp_')).length;

/**
 * Counts an ad in its conversation, on condition that it still fits: settles the race of ads that were won while none of them was shown.
 * @param over the item of a conversation that has ended and that the store has not dropped yet: a new one takes its place
 */
export function countAd(
  { hash, turn, turnSpacing = 0, adsPerConversation = MOST_ADS, frequencyCap }: ConversationTerms,
  campaignId: string,
  now: number,
  over?: ConversationItem,
): Write<'conversations'> {
  const endsAt = now + KEPT_MS;
  const ttl = ttlAt(endsAt);
  const count = frequencyCap && countOf(campaignId, frequencyCap, utcDay(now));
  // A count of the day before does not matter any more, whether or not there is one.
  const outdated = frequencyCap?.per === 'day' ? countOf(campaignId, frequencyCap, utcDay(now - DAY_MS)) : undefined;
  if (over) {
    const put: ConversationItem = {
      conversation: hash,
      endsAt,
      ttl,
      ads: 1,
      lastTurn: turn,
      ...(count && { [count]: 1 }),
    };
    return { table: 'conversations', put, when: '#endsAt = :over', values: { over: over.endsAt } };
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
      most: Math.min(adsPerConversation, MOST_ADS),
      ...(turnSpacing > 0 && { latest: turn - turnSpacing }),
      ...(count && { cap: frequencyCap!.impressions }),
    },
  };
}

/** The conversation in whose way a refused count stood because it has ended: its place may be taken. */
export const endedConversation = (old: Item | undefined, now: number): ConversationItem | undefined =>
  old && 'ads' in old && old.endsAt <= now ? old : undefined;
