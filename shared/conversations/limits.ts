import { DAY_MS, ttlAt, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Item } from '../platform/items.ts';
import { idPrefix } from '../values/ids.ts';
import { type ConversationItem, type ConversationTerms, impressionsName } from './terms.ts';

/** How long a conversation is kept after its first ad, however many follow. */
const KEPT_MS = DAY_MS;
/** Ads of one conversation whose counts are kept; beyond it there are none, so that its item stays small whatever is called a conversation. */
const MOST_ADS = 200;
/** Counts of campaigns that one conversation has, so that its item stays within 1 KB; races of ads may add a few. */
const MOST_CAPPED = 20;

/**
 * Why no further ad fits into a conversation now, by what its publisher asks; null when one does.
 * @param adsInAnswer ads that the same answer has already
 */
export function limitReached(
  item: ConversationItem | undefined,
  { turn, turnSpacing = 0, adsPerConversation = MOST_ADS }: Omit<ConversationTerms, 'hash' | 'frequencyCap'>,
  adsInAnswer: number,
): 'turn_spacing' | 'frequency_cap' | null {
  if ((item?.ads ?? 0) + adsInAnswer >= Math.min(adsPerConversation, MOST_ADS)) return 'frequency_cap';
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
  const count = item[impressionsName(id, frequencyCap, utcDay(now))];
  return count === undefined ? cappedIn(item) >= MOST_CAPPED : count >= frequencyCap.impressions;
}

const cappedIn = (item: ConversationItem): number =>
  Object.keys(item).filter((name) => name.startsWith(idPrefix('campaign'))).length;

/**
 * Counts an ad in its conversation, on condition that it still fits: settles the race of ads that were won while none of them was shown.
 * @param ended the item of a conversation that has ended and that the store has not dropped yet: a new one takes its place
 */
export function countAd(
  { hash, turn, turnSpacing = 0, adsPerConversation = MOST_ADS, frequencyCap }: ConversationTerms,
  campaignId: string,
  now: number,
  ended?: ConversationItem,
): Write<'conversations'> {
  const endsAt = now + KEPT_MS;
  const ttl = ttlAt(endsAt);
  const count = frequencyCap && impressionsName(campaignId, frequencyCap, utcDay(now));
  // A count of the day before does not matter any more, whether or not there is one.
  const outdated =
    frequencyCap?.per === 'day' ? impressionsName(campaignId, frequencyCap, utcDay(now - DAY_MS)) : undefined;
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
      most: Math.min(adsPerConversation, MOST_ADS),
      ...(turnSpacing > 0 && { latest: turn - turnSpacing }),
      ...(count && { cap: frequencyCap!.impressions }),
    },
  };
}

/** The conversation in whose way a refused count stood because it has ended: its place may be taken. */
export const endedConversation = (old: Item | undefined, now: number): ConversationItem | undefined =>
  old && 'ads' in old && old.endsAt <= now ? old : undefined;
