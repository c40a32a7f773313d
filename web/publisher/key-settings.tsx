import { useState } from 'preact/hooks';
import { parseAmount } from '../amount.ts';
import { getChanges, isChanged } from '../changes.ts';
import { BlockedCategories } from '../combobox/blocked-categories.tsx';
import type { Faults } from '../errors.ts';
import { FormField } from '../parts/field.tsx';
import { useFormAct } from '../parts/form-act.ts';
import { Problem } from '../parts/problem.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import type { KeyBody } from './data.ts';
import { DomainsField } from './domains-field.tsx';
import { FloorField } from './floor-field.tsx';
import { KEY_LABELS } from './key-labels.ts';
import { areLimits, LimitFields, toLimits, toLimitTexts } from './limits.tsx';
import { PublicNameField, toPublicName } from './public-name-field.tsx';
import { StrictnessField } from './strictness.tsx';

interface KeySettingsProps {
  apiKey: KeyBody;
  onSaved(saved: KeyBody): void;
}

// During a rollout, the previous version responds without `adStrictness` and `publicName`.
const toValues = (apiKey: KeyBody) => {
  const { name, judge, blockedDomains, blockedCategories, adStrictness = 'balanced', bidFloor } = apiKey;
  return {
    ...{ name, judge, blockedDomains, blockedCategories, adStrictness },
    ...toLimitTexts(apiKey),
    publicName: apiKey.publicName ?? '',
    bidFloor: String(bidFloor),
  };
};

/** A key's settings. Later changes of the key do not change the typed values. */
export function KeySettingsForm({ apiKey, onSaved }: KeySettingsProps) {
  const { ads, toasts } = useSession();
  const { isBusy, problem, faults, act, onEdit } = useFormAct(KEY_LABELS);
  const [values, setValues] = useState(toValues(apiKey));
  // Only the differences from this are sent.
  const [loaded, setLoaded] = useState(values);
  useUnsaved(isChanged(loaded, values));
  const floor = parseAmount(values.bidFloor);
  const change = (part: Partial<typeof values>) => {
    setValues({ ...values, ...part });
    onEdit(Object.keys(part));
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (floor.kind === 'fault' || !areLimits(values)) return;
    const { publicName, bidFloor, turnSpacing, adsPerConversation, ...others } = getChanges(loaded, values);
    const limits = toLimits({ turnSpacing, adsPerConversation });
    const body = {
      ...others,
      ...limits,
      ...(publicName !== undefined && { publicName: toPublicName(publicName) }),
      ...(bidFloor !== undefined && { bidFloor: floor.kind === 'usd' ? floor.usd : 0 }),
    };
    if (Object.keys(body).length === 0) return toasts.show('Nothing to save');
    await act(async () => {
      const changed = await ads('PATCH /api/v1/auth/api-keys/{id}', { params: { id: apiKey.id }, body });
      const saved = toValues(changed);
      setLoaded(saved);
      // Keep what was typed during the request.
      setValues((now) => ({ ...saved, ...getChanges(values, now) }));
      toasts.show('Changes saved');
      onSaved(changed);
    });
  };
  return (
    <section class="card" aria-label="Settings">
      <h2>Settings</h2>
      <form onSubmit={save}>
        <div class="pair">
          <FormField
            name="key-name"
            label={KEY_LABELS.name}
            hint="Only you see it."
            fault={faults.name}
            need="required"
          >
            {(attributes) => (
              <input
                {...attributes}
                autocomplete="off"
                value={values.name}
                onInput={({ currentTarget }) => change({ name: currentTarget.value })}
              />
            )}
          </FormField>
          <FloorField
            name="key-floor"
            value={values.bidFloor}
            fault={faults.bidFloor}
            onChange={(bidFloor) => change({ bidFloor })}
          />
        </div>
        <PublicNameField
          value={values.publicName}
          fault={faults.publicName}
          onChange={(publicName) => change({ publicName })}
        />
        <Blocks values={values} faults={faults} onChange={change} />
        <LimitFields values={values} faults={faults} onChange={change} />
        <StrictnessField value={values.adStrictness} onChange={(adStrictness) => change({ adStrictness })} />
        <div class="checks">
          <label>
            <input type="checkbox" checked={values.judge} onChange={() => change({ judge: !values.judge })} />
            <span>
              Second opinion
              <small>A language model may check whether an ad would be welcome, if the operator has set one up.</small>
            </span>
          </label>
        </div>
        <Problem text={problem} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
    </section>
  );
}

interface BlocksProps {
  values: Pick<KeyBody, 'blockedDomains' | 'blockedCategories'>;
  faults: Faults;
  onChange(change: Partial<BlocksProps['values']>): void;
}

/** The blocked domains and categories. */
const Blocks = ({ values, faults, onChange }: BlocksProps) => (
  <div class="pair">
    <DomainsField
      domains={values.blockedDomains}
      fault={faults.blockedDomains}
      onChange={(blockedDomains) => onChange({ blockedDomains })}
    />
    <div>
      <BlockedCategories
        name="key-categories"
        blocked={values.blockedCategories}
        fault={faults.blockedCategories}
        onChange={(blockedCategories) => onChange({ blockedCategories })}
      />
    </div>
  </div>
);
