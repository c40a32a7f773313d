import type { Biddable } from '../../campaigns/biddable.ts';
import { withCurrentProfile } from '../../campaigns/biddable.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import type { CampaignInput } from '../../campaigns/campaign-schema.ts';
import type { FieldError } from '../../campaigns/field-rules.ts';
import { pausedBy } from '../../campaigns/lifecycle.ts';
import { merge } from '../../campaigns/merge.ts';
import { validateConfiguration } from '../../campaigns/validate.ts';
import type { Lexicon } from '../../matching/index.ts';
import { isoTime } from '../../platform/clock.ts';

type Draft = { outcome: 'valid'; campaign: Campaign } | { outcome: 'invalid'; faults: FieldError[] };

/** Builds the campaign to preview from a saved campaign, a request body, or both. Stores nothing. */
export function buildDraft(
  lexicon: Lexicon,
  owner: string,
  input: CampaignInput | undefined,
  saved: Campaign | undefined,
  now: number,
): Draft {
  if (saved && !input) return { outcome: 'valid', campaign: withCurrentProfile(saved, lexicon) };
  const configuration = merge(input ?? {}, saved);
  const { invalid, profile } = validateConfiguration(lexicon, input ?? {}, configuration, saved);
  if (!profile) return { outcome: 'invalid', faults: invalid };
  const time = isoTime(now);
  const blank = { id: 'preview', owner, pausedDay: null, exhaustions: 0, createdAt: time, updatedAt: time };
  const isSame = saved?.status === configuration.status;
  const pausedReason = isSame ? saved.pausedReason : pausedBy(configuration.status);
  const campaign = { ...blank, version: 1, ...saved, ...configuration, profile, pausedReason, changedAt: now };
  return { outcome: 'valid', campaign };
}

/** Returns the campaign as if it could serve, so that a draft's preview shows how it matches instead of "draft". */
export const toServing = ({ lacks: _, ...campaign }: Biddable): Biddable => ({
  ...campaign,
  status: 'active',
  pausedReason: null,
  pausedDay: null,
  startDate: null,
  endDate: null,
  // Enough for a thousand impressions, so that the budget does not limit the preview. No daily budget, so no pacing.
  budget: campaign.maxCpb,
  dailyBudget: null,
});
