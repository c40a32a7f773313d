import type { CampaignBody, NewCampaign } from './bodies.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { EMPTY, valuesOf } from './form-values.ts';

interface NewFormProps {
  original: CampaignBody | null;
  create(body: NewCampaign): Promise<string>;
}

/** The form of a campaign that is to be made. */
export default function NewForm({ original, create }: NewFormProps) {
  const start = original ? { ...valuesOf(original), name: `Copy of ${original.name}`.slice(0, 200) } : EMPTY;
  const deeds: readonly [FormDeed, FormDeed] = [
    { says: 'Launch', save: (body) => create({ ...body, status: 'active' }) },
    { says: 'Save as draft', save: (body) => create({ ...body, status: 'draft' }) },
  ];
  return <CampaignForm start={start} deeds={deeds} />;
}
