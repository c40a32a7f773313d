import type { CampaignBody, NewCampaign } from './bodies.ts';
import { check } from './check.ts';
import { CampaignForm } from './form.tsx';
import type { FormDeed } from './form-state.ts';
import { EMPTY, toCopy } from './form-values.ts';
import { checkLaunch } from './launch.ts';
import { LAUNCH } from './state.ts';

interface NewFormProps {
  original: CampaignBody | null;
  create(body: NewCampaign): Promise<string>;
}

/** Creates a campaign, possibly from a copy. */
export default function NewForm({ original, create }: NewFormProps) {
  const start = original ? toCopy(original, Date.now()) : EMPTY;
  const deeds: readonly [FormDeed, FormDeed] = [
    {
      says: LAUNCH.verb,
      check: checkLaunch,
      needsReview: () => true,
      save: (body) => create({ ...body, status: 'active' }),
    },
    {
      says: 'Save as draft',
      check,
      needsReview: () => false,
      save: (body) => create({ ...body, status: 'draft' }),
    },
  ];
  return <CampaignForm start={start} original={original} deeds={deeds} />;
}
