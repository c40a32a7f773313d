import { Problem } from '../parts/problem.tsx';
import type { FormPart } from './form-fields.tsx';
import { toCampaignBody } from './form-values.ts';
import { usePreview } from './preview.ts';
import { Reach } from './reach.tsx';

/** Estimates how many conversations the typed campaign would reach. */
export function CheckReach({ part: { values, onChange } }: { part: FormPart }) {
  const { preview, isBusy, problem, run } = usePreview();
  const { keywords } = values;
  if (keywords.length === 0) return null;
  // Sends only what affects the reach, so an incomplete campaign can be checked too.
  const { targetAudience, creative } = toCampaignBody(values);
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
