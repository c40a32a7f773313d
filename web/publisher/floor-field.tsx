import { amountOf } from '../amount.ts';
import { FormField } from '../parts/field.tsx';

interface FloorFieldProps {
  name: string;
  value: string;
  /** What the API refused of it. */
  fault: string | undefined;
  onChange(value: string): void;
}

/** The lowest bid that a key accepts. */
export function FloorField({ name, value, fault, onChange }: FloorFieldProps) {
  const floor = amountOf(value);
  return (
    <FormField
      name={name}
      label="Bid floor (USD)"
      hint="CPM for 1,000 impressions. Lower bids are rejected."
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
