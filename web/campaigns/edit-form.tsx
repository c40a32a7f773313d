import { useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import { campaignChanges, valuesOf } from './form-values.ts';

const isConflict = (error: unknown): boolean => error instanceof AdsError && error.code === 'conflict';

/** The form of a campaign that is there. What comes of it meanwhile does not change what is being typed. */
export default function EditForm({ campaign }: { campaign: CampaignBody }) {
  const { ads } = useSession();
  const [before, setBefore] = useState(campaign);
  const params = { id: campaign.id };
  const save = async (wanted: NewCampaign) => {
    const body = campaignChanges(before, wanted, Date.now());
    try {
      if (Object.keys(body).length > 0) await ads('PATCH /api/v1/campaigns/{id}', { params, body });
    } catch (error) {
      // Who is told of another budget and saves again means to replace that one.
      const now = isConflict(error) && (await ads('GET /api/v1/campaigns/{id}', { params }).catch(() => null));
      if (now) setBefore({ ...before, budget: now.budget });
      throw error;
    }
    return campaign.id;
  };
  return <CampaignForm start={valuesOf(before)} before={before} deeds={[{ says: 'Save', save }]} />;
}
