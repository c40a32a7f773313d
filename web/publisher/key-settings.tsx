import { useState } from 'preact/hooks';
import { FormField } from '../parts/field.tsx';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { TokenInput } from '../parts/token-input.tsx';
import { useSession } from '../session.ts';
import type { KeyBody } from './data.ts';

interface KeySettingsProps {
  apiKey: KeyBody;
  onDone(): Promise<void>;
}

/** What a publisher may change of a key. What comes of it meanwhile does not change what is being typed. */
export function KeySettingsForm({ apiKey, onDone }: KeySettingsProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [isSaved, setSaved] = useState(false);
  const [values, setValues] = useState({ ...apiKey, bidFloor: String(apiKey.bidFloor) });
  const change = (part: Partial<typeof values>) => {
    setValues({ ...values, ...part });
    setSaved(false);
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const { name, judge, blockedDomains, blockedCategories } = values;
    const body = { name, judge, blockedDomains, blockedCategories, bidFloor: Number(values.bidFloor) };
    const isDone = await act(async () => {
      await ads('PATCH /api/v1/auth/api-keys/{id}', { params: { id: apiKey.id }, body });
      await onDone();
    });
    setSaved(isDone);
  };
  return (
    <section class="card" aria-label="Settings">
      <h2>Settings</h2>
      <form onSubmit={save}>
        <div class="pair">
          <FormField name="key-name" label="Name">
            {(attributes) => (
              <input
                {...attributes}
                autocomplete="off"
                value={values.name}
                onInput={({ currentTarget }) => change({ name: currentTarget.value })}
              />
            )}
          </FormField>
          <FormField name="key-floor" label="Lowest bid, USD" hint="For 1,000 impressions; less is no bid.">
            {(attributes) => (
              <input
                {...attributes}
                inputMode="decimal"
                autocomplete="off"
                value={values.bidFloor}
                onInput={({ currentTarget }) => change({ bidFloor: currentTarget.value })}
              />
            )}
          </FormField>
        </div>
        <Blocks values={values} onChange={change} />
        <div class="checks">
          <label>
            <input type="checkbox" checked={values.judge} onChange={() => change({ judge: !values.judge })} />
            <span>
              Second opinion
              <small>Where the operator has one, a language model may be asked whether an ad would be welcome.</small>
            </span>
          </label>
        </div>
        <Problem text={problem} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Save
          </button>
          <span role="status">{isSaved && 'Saved.'}</span>
        </div>
      </form>
    </section>
  );
}

interface BlocksProps {
  values: Pick<KeyBody, 'blockedDomains' | 'blockedCategories'>;
  onChange(change: Partial<BlocksProps['values']>): void;
}

/** Whose ads are not shown. */
const Blocks = ({ values, onChange }: BlocksProps) => (
  <div class="pair">
    <FormField name="key-domains" label="No ads of these domains" hint="Such as shop.example, subdomains included.">
      {(attributes) => (
        <TokenInput
          what="domain"
          tokens={values.blockedDomains}
          attributes={attributes}
          onChange={(blockedDomains) => onChange({ blockedDomains })}
        />
      )}
    </FormField>
    <FormField
      name="key-categories"
      label="No ads of these categories"
      hint="In the IAB’s words, such as Casinos & Gambling."
    >
      {(attributes) => (
        <TokenInput
          what="category"
          tokens={values.blockedCategories}
          attributes={attributes}
          onChange={(blockedCategories) => onChange({ blockedCategories })}
        />
      )}
    </FormField>
  </div>
);
