import { parseAmount } from '../amount.ts';
import { FormField } from '../parts/field.tsx';
import { KEY_LABELS } from './key-labels.ts';

interface FloorFieldProps {
  name: string;
  value: string;
  /** The API's error message. */
  fault: string | undefined;
  onChange(value: string): void;
}

/** Input for the lowest bid that a key accepts. */
export function FloorField({ name, value, fault, onChange }: FloorFieldProps) {
  const floor = parseAmount(value);
  return (
    <FormField
      name={name}
      label={KEY_LABELS.bidFloor}
      hint="Per 1,000 impressions. Lower bids are rejected."
      fault={floor.kind === 'fault' ? floor.says : fault}
    >
      {(attributes) => (
        <input
          {...attributes}
          inputMode="decimal"
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </FormField>
  );
}
