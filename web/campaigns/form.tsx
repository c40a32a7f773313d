import { counted } from '../format.ts';
import { Problem } from '../parts/problem.tsx';
import { AdPreview } from './ad-preview.tsx';
import type { CampaignBody } from './bodies.ts';
import { AdSection, BudgetSection, TargetingSection } from './form-sections.tsx';
import { type FormDeed, useForm } from './form-state.ts';
import type { FormValues } from './form-values.ts';
import { usePublishers } from './publishers.ts';

interface CampaignFormProps {
  start: FormValues;
  /** The edited campaign. Undefined for a new one. */
  before?: CampaignBody;
  /** The campaign whose publishers the form names. */
  original?: CampaignBody | null;
  /** The buttons. Enter activates the first one. */
  deeds: readonly [FormDeed, ...FormDeed[]];
}

/** The campaign form, with a live preview of the ad. */
export function CampaignForm({ start, before, original = before, deeds }: CampaignFormProps) {
  const { part, isBusy, problem, wrongCount, save } = useForm(start, before, deeds);
  const publishers = usePublishers(original?.id);
  const [first, ...others] = deeds;
  return (
    <form
      class="columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(first);
      }}
    >
      <div class="main-column">
        <p class="hint">
          {!before || before.status === 'draft'
            ? 'Fields marked * are required to launch. A draft needs only a name.'
            : 'Fields marked * are required.'}
        </p>
        <AdSection {...part} />
        <TargetingSection
          {...part}
          phrases={(before?.suggestedPhrases ?? []).map(({ text }) => text)}
          publishers={publishers}
        />
        <BudgetSection {...part} />
        <Problem text={problem} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {first.says}
          </button>
          {others.map((deed) => (
            <button key={deed.says} type="button" aria-disabled={isBusy} onClick={() => save(deed)}>
              {deed.says}
            </button>
          ))}
          <a class="button" href={before ? `/campaigns/${before.id}` : '/campaigns'}>
            Cancel
          </a>
          <span role="status" class="fault">
            {wrongCount > 0 && `${counted(wrongCount, 'field needs', 'fields need')} attention.`}
          </span>
        </div>
      </div>
      <div class="side-column sticky">
        <section class="card" aria-label="Preview">
          <h2>Preview</h2>
          <AdPreview creative={part.values.creative} />
        </section>
      </div>
    </form>
  );
}
