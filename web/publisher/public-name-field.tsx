import { FormField } from '../parts/field.tsx';
import type { KeyBody } from './data.ts';
import { KEY_LABELS } from './key-labels.ts';

const MAX_LENGTH = 60;

/** The public name to send: null for none. */
export const toPublicName = (typed: string): KeyBody['publicName'] => typed.trim() || null;

interface PublicNameProps {
  value: string;
  /** The API's error message. */
  fault: string | undefined;
  onChange(value: string): void;
}

/** Input for the name by which advertisers know a key. */
export const PublicNameField = ({ value, fault, onChange }: PublicNameProps) => (
  <FormField
    name="publicName"
    label={KEY_LABELS.publicName}
    need="optional"
    hint="Advertisers see it in their reports. Without it, each advertiser sees another pseudonym, such as “Publisher 7F3K-Q2”."
    fault={fault}
    count={[value.trim().length, MAX_LENGTH]}
  >
    {(attributes) => (
      <input
        {...attributes}
        autocomplete="off"
        placeholder="Trail Assistant"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </FormField>
);
