import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { copyOf, EMPTY } from './form-values.ts';

interface NewFormProps {
  original: CampaignBody | null;
  create(body: NewCampaign): Promise<string>;
}

/** The form of a campaign that is to be made. */
export default function NewForm({ original, create }: NewFormProps) {
  const start = original ? copyOf(original, Date.now()) : EMPTY;
  // What the form has no field for is copied as it is.
  const others = original && { frequencyCap: original.frequencyCap };
  const deeds: readonly [FormDeed, FormDeed] = [
    { says: 'Launch', save: (body) => create({ ...body, ...others, status: 'active' }) },
    { says: 'Save as draft', save: (body) => create({ ...body, ...others, status: 'draft' }) },
  ];
  return <CampaignForm start={start} deeds={deeds} />;
}
