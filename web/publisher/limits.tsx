import type { Faults } from '../errors.ts';
import { FormField } from '../parts/field.tsx';
import type { KeyBody } from './data.ts';
import { KEY_LABELS } from './key-labels.ts';

/** The limits of ads in a conversation, as they are typed. Empty is no limit. */
interface LimitTexts {
  turnSpacing: string;
  adsPerConversation: string;
}

const FIELDS = [
  ['turnSpacing', 'At least this many user messages from one ad to the next.'],
  ['adsPerConversation', 'At most this many ads in 24 hours.'],
] as const;

export const NO_LIMITS: LimitTexts = { turnSpacing: '', adsPerConversation: '' };

/** The API has 0 for no spacing, and null for no maximum. */
export const toLimitTexts = ({ turnSpacing, adsPerConversation }: Pick<KeyBody, keyof LimitTexts>): LimitTexts => ({
  turnSpacing: String(turnSpacing || ''),
  adsPerConversation: String(adsPerConversation || ''),
});

const isLimit = (text: string): boolean => /^\s*\d*\s*$/.test(text);
export const areLimits = ({ turnSpacing, adsPerConversation }: LimitTexts): boolean =>
  isLimit(turnSpacing) && isLimit(adsPerConversation);

const toLimit = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** The limits to send: null for no limit, and only those that are given. */
export const toLimits = ({ turnSpacing, adsPerConversation }: Partial<LimitTexts>) => ({
  ...(turnSpacing !== undefined && { turnSpacing: toLimit(turnSpacing) }),
  ...(adsPerConversation !== undefined && { adsPerConversation: toLimit(adsPerConversation) }),
});

interface LimitFieldsProps {
  values: LimitTexts;
  /** The API's error messages. */
  faults: Faults;
  onChange(change: Partial<LimitTexts>): void;
}

/** Inputs for the limits of ads in a conversation. */
export const LimitFields = ({ values, faults, onChange }: LimitFieldsProps) => (
  <>
    <div class="pair">
      {FIELDS.map(([name, hint]) => (
        <FormField
          key={name}
          name={name}
          label={KEY_LABELS[name]}
          hint={hint}
          fault={isLimit(values[name]) ? faults[name] : 'Enter a whole number, or leave empty for no limit.'}
        >
          {(attributes) => (
            <input
              {...attributes}
              inputMode="numeric"
              autocomplete="off"
              placeholder="No limit"
              value={values[name]}
              onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
            />
          )}
        </FormField>
      ))}
    </div>
    <p>
      <small>
        Requires <code>conversation.id</code> and <code>conversation.turn</code> in bid requests.{' '}
        <a href="/docs/privacy">How to send it</a>
      </small>
    </p>
  </>
);
