import { Problem } from '../parts/problem.tsx';
import type { FormPart } from './form-fields.tsx';
import { campaignBodyOf } from './form-values.ts';
import { usePreview } from './preview.ts';
import { Reach } from './reach.tsx';

/** How many conversations the campaign would reach as it is typed. */
export function CheckReach({ part: { values, onChange } }: { part: FormPart }) {
  const { preview, isBusy, problem, run } = usePreview();
  const { keywords } = values;
  if (keywords.length === 0) return null;
  // What has no name yet can be tried all the same; money and addresses have no part in it.
  const { targetAudience, creative } = campaignBodyOf(values);
  const { headline, description, callToAction, sponsoredBy } = creative ?? {};
  const campaign = { targetAudience, creative: { headline, description, callToAction, sponsoredBy } };
  return (
    <div class="check-reach">
      <button type="button" aria-disabled={isBusy} onClick={() => run({ campaign })}>
        Check the reach
      </button>
      <Problem text={problem} />
      {preview && (
        <Reach
          reach={preview.reach}
          keywords={keywords}
          onAdd={(keyword) => onChange({ keywords: [...keywords, keyword] })}
        />
      )}
    </div>
  );
}
