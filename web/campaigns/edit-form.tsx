import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { AdsError } from '../../packages/client/src/index.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { check } from './check.ts';
import { confirmStart } from './confirm.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { campaignChanges, toFormValues } from './form-values.ts';
import { checkChanges, checkLaunch } from './launch.ts';
import { type Action, getStart, RESTART } from './state.ts';

const isConflict = (error: unknown): boolean => error instanceof AdsError && error.code === 'conflict';

/** Edits a campaign. Later changes of the campaign do not change the typed values. */
export default function EditForm({ campaign }: { campaign: CampaignBody }) {
  const { ads, toasts } = useSession();
  const { query } = useLocation();
  const [before, setBefore] = useState(campaign);
  const params = { id: campaign.id };
  const save = async (wanted: NewCampaign, start?: Action) => {
    const body = { ...campaignChanges(before, wanted, Date.now()), ...(start && { status: start.status }) };
    const isUnchanged = Object.keys(body).length === 0;
    try {
      const saved = isUnchanged ? before : await ads('PATCH /api/v1/campaigns/{id}', { params, body });
      if (body.status === 'active') confirmStart(toasts, saved, start ?? RESTART);
      else toasts.show(isUnchanged ? 'Nothing to save' : 'Changes saved');
    } catch (error) {
      // After a conflict, the visitor has seen the other budget, so saving again replaces it.
      const now = isConflict(error) && (await ads('GET /api/v1/campaigns/{id}', { params }).catch(() => null));
      if (now) setBefore({ ...before, budget: now.budget });
      throw error;
    }
    return campaign.id;
  };
  const isDraft = before.status === 'draft';
  const saving: FormDeed = {
    says: isDraft ? 'Save as draft' : 'Save',
    check: (values) => (isDraft ? check(values, before) : checkChanges(values, before)),
    needsReview(wanted) {
      const { status = before.status, creative } = campaignChanges(before, wanted, Date.now());
      return status === 'active' && (before.status !== 'active' || creative !== undefined);
    },
    save,
  };
  const start = getStart(before);
  const starting: FormDeed | null = start && {
    says: isDraft ? start.verb : `Save and ${start.verb.toLowerCase()}`,
    check: (values) => checkLaunch(values, before),
    needsReview: () => true,
    save: (wanted) => save(wanted, start),
  };
  const deeds: readonly [FormDeed, ...FormDeed[]] =
    starting && (isDraft || query.launch) ? [starting, saving] : [saving];
  return <CampaignForm start={toFormValues(before)} before={before} deeds={deeds} />;
}
