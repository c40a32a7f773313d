import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { CampaignText, Phrase } from '../platform/judge.ts';
import type { Campaign } from './campaign.ts';
import type { FieldError } from './field-rules.ts';
import { type PhrasesItem, phrasesKey } from './items.ts';
import { merge } from './merge.ts';
import { MAX_CAMPAIGN_BYTES } from './weight.ts';

type Owned = Pick<Campaign, 'owner' | 'id'>;

export const findSuggestedPhrases = async (
  { db }: Pick<Effects, 'db'>,
  { owner, id }: Owned,
): Promise<PhrasesItem | undefined> => {
  const item = await db.get('campaigns', phrasesKey(owner, id));
  return item && 'phrases' in item ? item : undefined;
};

/** What a judge is told of a campaign; one stored before a field came has that field's default. */
export function getCampaignTexts(campaign: Campaign): CampaignText {
  const { name, creative, targetAudience } = merge({}, campaign);
  const { headline, description } = creative;
  const { keywords, demographics, categories } = targetAudience;
  return { name, headline, description, keywords, interests: demographics.interests, categories };
}

/** A short text that differs where a judge is told something else. */
export const hashTexts = (texts: CampaignText): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22);

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The first phrases, as many as the campaign, as it is stored, leaves room for within its bound. */
export function takeFitting(phrases: readonly Phrase[], campaign: Campaign): Phrase[] {
  let room = MAX_CAMPAIGN_BYTES - bytesOf(campaign);
  return phrases.filter((phrase) => {
    room -= bytesOf(phrase) + 1;
    return room > 0;
  });
}

/** What comes of the phrases in an advertiser's change: what it writes, or what is wrong with them. */
interface Edited {
  writes: Write<'campaigns'>[];
  invalid: FieldError[];
}

/**
 * Phrases that were edited say no more what they were made for: no judge replaces them. `null` takes them away, so that new ones are
 * made. Those that come back with a whole object say nothing new.
 */
export async function editPhrases(
  effects: Pick<Effects, 'db'>,
  campaign: Campaign,
  given: Phrase[] | null | undefined,
): Promise<Edited> {
  if (given === undefined) return { writes: [], invalid: [] };
  const key = phrasesKey(campaign.owner, campaign.id);
  if (given === null) return { writes: [{ table: 'campaigns', key, remove: true }], invalid: [] };
  const known = await findSuggestedPhrases(effects, campaign);
  if (isDeepStrictEqual(known?.phrases ?? [], given)) return { writes: [], invalid: [] };
  if (takeFitting(given, campaign).length < given.length) return { writes: [], invalid: [TOO_HEAVY] };
  return { writes: [{ table: 'campaigns', put: { ...key, phrases: given } }], invalid: [] };
}

const TOO_HEAVY: FieldError = {
  path: 'suggestedPhrases',
  message: `suggestedPhrases must be fewer or shorter: the limit for a campaign is ${MAX_CAMPAIGN_BYTES / 1024} KiB`,
};
