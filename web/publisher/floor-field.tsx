import { amountOf } from '../amount.ts';
import { FormField } from '../parts/field.tsx';

interface FloorFieldProps {
  name: string;
  value: string;
  onChange(value: string): void;
}

/** The lowest bid that a key takes. */
export function FloorField({ name, value, onChange }: FloorFieldProps) {
  const floor = amountOf(value);
  return (
    <FormField
      name={name}
      label="Lowest bid, USD"
      hint="For 1,000 impressions; less is no bid."
      fault={floor.kind === 'fault' ? floor.says : undefined}
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
