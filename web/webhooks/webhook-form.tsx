import { useState } from 'preact/hooks';
import { EVENT_TYPES, type EventType } from '../../shared/webhooks/events/types.ts';
import { isChanged } from '../changes.ts';
import { FormField } from '../parts/field.tsx';
import { useFirstFocus } from '../parts/focus.ts';
import { useFormAct } from '../parts/form-act.ts';
import { Problem } from '../parts/problem.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { addScheme } from '../web-address.ts';
import { EVENT_NAMES } from './events.ts';

export interface WebhookValues {
  url: string;
  events: EventType[];
  description: string;
}

interface WebhookFormProps {
  start: WebhookValues;
  /** The button's label. */
  deed: string;
  onSave(values: WebhookValues): Promise<unknown>;
  onCancel(): void;
}

/** When an event of each type is sent. */
const EVENT_CAUSES: Readonly<Record<EventType, string>> = {
  'ad.impression': 'An ad was shown and charged',
  'ad.click': 'An ad was clicked for the first time',
  'ad.conversion': 'A click led to a conversion',
  'campaign.created': 'A campaign was created',
  'campaign.updated': 'You changed a campaign',
  'campaign.paused': 'You or its budget paused a campaign',
  'campaign.budget_exhausted': 'A campaign spent its total budget',
  'account.billing': 'The spend of a UTC day is final',
};

const LABELS = { url: 'URL', events: 'Events', description: 'Description' };

/** Form for a webhook's URL and event types. */
export function WebhookForm({ start, deed, onSave, onCancel }: WebhookFormProps) {
  const [values, setValues] = useState(start);
  const form = useFirstFocus<HTMLFormElement>('input');
  const { isBusy, problem, faults, act, onEdit } = useFormAct(LABELS);
  useUnsaved(isChanged(start, values));
  const change = (part: Partial<WebhookValues>) => {
    setValues({ ...values, ...part });
    onEdit(Object.keys(part));
  };
  const flip = (type: EventType) =>
    change({ events: EVENT_TYPES.filter((other) => (other === type) !== values.events.includes(other)) });
  return (
    <form
      class="card"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        act(() => onSave(values));
      }}
    >
      <FormField
        name="url"
        label={LABELS.url}
        hint="Begins with https:// and is reachable from the internet."
        fault={faults.url}
        need="required"
      >
        {(attributes) => (
          <input
            {...attributes}
            inputMode="url"
            autocomplete="off"
            placeholder="https://hooks.example/ads"
            value={values.url}
            onInput={({ currentTarget }) => change({ url: currentTarget.value.trim() })}
            onBlur={() => addScheme(values.url) !== values.url && change({ url: addScheme(values.url) })}
          />
        )}
      </FormField>
      <fieldset class="checks">
        <legend>{LABELS.events}</legend>
        {EVENT_TYPES.map((type) => (
          <label key={type}>
            <input type="checkbox" checked={values.events.includes(type)} onChange={() => flip(type)} />
            <span>
              {EVENT_NAMES[type]}
              <small>
                {EVENT_CAUSES[type]} · <code>{type}</code>
              </small>
            </span>
          </label>
        ))}
        {faults.events && (
          <small class="fault" role="alert">
            Choose at least one event.
          </small>
        )}
      </fieldset>
      <FormField
        name="description"
        label={LABELS.description}
        hint="Only you see it."
        fault={faults.description}
        need="optional"
      >
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            value={values.description}
            onInput={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </FormField>
      <Problem text={problem} />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {deed}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

export const ALL_EVENTS: WebhookValues = { url: '', events: [...EVENT_TYPES], description: '' };
