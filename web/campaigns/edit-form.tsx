import { useState } from 'preact/hooks';
import { useSession } from '../session.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import { campaignChanges, valuesOf } from './form-values.ts';

/** The form of a campaign that is there. What comes of it meanwhile does not change what is being typed. */
export default function EditForm({ campaign }: { campaign: CampaignBody }) {
  const { ads } = useSession();
  const [before] = useState(campaign);
  const save = async (wanted: NewCampaign) => {
    const body = campaignChanges(before, wanted, Date.now());
    if (Object.keys(body).length > 0) await ads('PATCH /api/v1/campaigns/{id}', { params: { id: before.id }, body });
    return before.id;
  };
  return <CampaignForm start={valuesOf(before)} before={before} deeds={[{ says: 'Save', save }]} />;
}
