import { useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { showToast } from '../parts/toasts.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { campaignChanges, check, toFormValues } from './form-values.ts';
import { checkChanges, checkLaunch } from './launch.ts';

const isConflict = (error: unknown): boolean => error instanceof AdsError && error.code === 'conflict';

/** Edits a campaign. Later changes of the campaign do not change the typed values. */
export default function EditForm({ campaign }: { campaign: CampaignBody }) {
  const { ads } = useSession();
  const [before, setBefore] = useState(campaign);
  const params = { id: campaign.id };
  const save = async (wanted: NewCampaign, status?: 'active') => {
    const body = { ...campaignChanges(before, wanted, Date.now()), ...(status && { status }) };
    const isUnchanged = Object.keys(body).length === 0;
    try {
      if (!isUnchanged) await ads('PATCH /api/v1/campaigns/{id}', { params, body });
      showToast(status ? 'Campaign launched' : isUnchanged ? 'Nothing to save' : 'Changes saved');
    } catch (error) {
      // After a conflict, the visitor has seen the other budget, so saving again replaces it.
      const now = isConflict(error) && (await ads('GET /api/v1/campaigns/{id}', { params }).catch(() => null));
      if (now) setBefore({ ...before, budget: now.budget });
      throw error;
    }
    return campaign.id;
  };
  const deeds: readonly [FormDeed, ...FormDeed[]] =
    before.status === 'draft'
      ? [
          { says: 'Launch', check: (values) => checkLaunch(values, before), save: (body) => save(body, 'active') },
          { says: 'Save as draft', check: (values) => check(values, before), save },
        ]
      : [{ says: 'Save', check: (values) => checkChanges(values, before), save }];
  return <CampaignForm start={toFormValues(before)} before={before} deeds={deeds} />;
}
