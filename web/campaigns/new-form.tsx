import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { EMPTY, toCopy } from './form-values.ts';

interface NewFormProps {
  original: CampaignBody | null;
  create(body: NewCampaign): Promise<string>;
}

/** Creates a campaign, possibly from a copy. */
export default function NewForm({ original, create }: NewFormProps) {
  const start = original ? toCopy(original, Date.now()) : EMPTY;
  // Copy the fields that have no input unchanged.
  const others = original && { frequencyCap: original.frequencyCap };
  const deeds: readonly [FormDeed, FormDeed] = [
    { says: 'Launch', save: (body) => create({ ...body, ...others, status: 'active' }) },
    { says: 'Save as draft', save: (body) => create({ ...body, ...others, status: 'draft' }) },
  ];
  return <CampaignForm start={start} deeds={deeds} />;
}
