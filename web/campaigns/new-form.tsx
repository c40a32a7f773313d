import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { check, EMPTY, toCopy } from './form-values.ts';
import { checkLaunch } from './launch.ts';

interface NewFormProps {
  original: CampaignBody | null;
  create(body: NewCampaign): Promise<string>;
}

/** Creates a campaign, possibly from a copy. */
export default function NewForm({ original, create }: NewFormProps) {
  const start = original ? toCopy(original, Date.now()) : EMPTY;
  const deeds: readonly [FormDeed, FormDeed] = [
    { says: 'Launch', check: checkLaunch, save: (body) => create({ ...body, status: 'active' }) },
    { says: 'Save as draft', check, save: (body) => create({ ...body, status: 'draft' }) },
  ];
  return <CampaignForm start={start} deeds={deeds} />;
}
