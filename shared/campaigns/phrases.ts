import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FieldChange } from '../platform/activity.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { CampaignText, Phrase } from '../platform/judge.ts';
import type { Campaign } from './campaign.ts';
import { diffPhrases } from './campaign-activity.ts';
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

/** The texts of a campaign that the judge gets. Fields that did not exist when the campaign was stored have their defaults. */
export function getCampaignTexts(campaign: Campaign): CampaignText {
  const { name, creative, targetAudience } = merge({}, campaign);
  const { headline, description } = creative;
  const { keywords, demographics, categories } = targetAudience;
  return { name, headline, description, keywords, interests: demographics.interests, categories };
}

/** Hash of the texts that the judge gets. */
export const hashTexts = (texts: CampaignText): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22);

const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The first phrases that fit with the stored campaign into the size limit. */
export function takeFitting(phrases: readonly Phrase[], campaign: Campaign): Phrase[] {
  let room = MAX_CAMPAIGN_BYTES - countBytes(campaign);
  return phrases.filter((phrase) => {
    room -= countBytes(phrase) + 1;
    return room > 0;
  });
}

/** The writes of an edit of phrases and what they change, or what is wrong with the edit. */
interface Edited {
  writes: Write<'campaigns'>[];
  changes: FieldChange[];
  invalid: FieldError[];
}

/**
 * Edits the phrases of a campaign. Edited phrases lose `madeFor`, so the judge does not replace them. null deletes them, so the judge
 * suggests new ones. Unchanged phrases have no effect, for example when a client sends back a whole campaign.
 */
export async function editPhrases(
  effects: Pick<Effects, 'db'>,
  campaign: Campaign,
  phrases: Phrase[] | null | undefined,
): Promise<Edited> {
  if (phrases === undefined) return { writes: [], changes: [], invalid: [] };
  const key = phrasesKey(campaign.owner, campaign.id);
  const before = (await findSuggestedPhrases(effects, campaign))?.phrases ?? [];
  const changes = diffPhrases(before, phrases ?? []);
  if (phrases === null) return { writes: [{ table: 'campaigns', key, remove: true }], changes, invalid: [] };
  if (isDeepStrictEqual(before, phrases)) return { writes: [], changes: [], invalid: [] };
  if (takeFitting(phrases, campaign).length < phrases.length) return { writes: [], changes: [], invalid: [TOO_HEAVY] };
  return { writes: [{ table: 'campaigns', put: { ...key, phrases } }], changes, invalid: [] };
}

const TOO_HEAVY: FieldError = {
  path: 'suggestedPhrases',
  message: `suggestedPhrases must be fewer or shorter: the limit for a campaign is ${MAX_CAMPAIGN_BYTES / 1024} KiB`,
};
