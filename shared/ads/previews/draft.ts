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

/** The campaign that is looked at: a saved one, what is laid over it, or a body alone. Nothing of it is stored. */
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

/** A campaign as if nothing kept it from serving: what a draft would match is not that it is a draft. */
export const toServing = ({ lacks: _, ...campaign }: Biddable): Biddable => ({
  ...campaign,
  status: 'active',
  pausedReason: null,
  pausedDay: null,
  startDate: null,
  endDate: null,
  // A thousand impressions are more than a look needs, and pacing has nothing to save.
  budget: campaign.maxCpb,
  dailyBudget: null,
});
