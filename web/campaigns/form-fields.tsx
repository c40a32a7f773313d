import type { JSX } from 'preact';
import type { Faults } from '../errors.ts';
import { FormField } from '../parts/field.tsx';
import { TokenInput } from '../parts/token-input.tsx';
import type { FormValues } from './form-values.ts';
import { CREATIVE_LABELS, FIELD_LABELS } from './labels.ts';

/** What every part of the form works with. */
export interface FormPart {
  values: FormValues;
  faults: Faults;
  onChange(change: Partial<FormValues>): void;
  /** When a field is left, what is wrong with it is said. */
  onLeave(path: string): void;
}

type Labelled = keyof typeof FIELD_LABELS;
type TextField = { [K in Labelled]: FormValues[K] extends string ? K : never }[Labelled];
type ListField = { [K in Labelled]: FormValues[K] extends string[] ? K : never }[Labelled];
type CreativeField = keyof typeof CREATIVE_LABELS;

interface Described {
  part: FormPart;
  hint?: string | undefined;
  placeholder?: string;
}

type TextProps = Described & { name: TextField; most?: number; input?: JSX.IntrinsicElements['input'] };

export const Text = ({ part, name, hint, most, input }: TextProps) => {
  const value = part.values[name];
  return (
    <FormField
      name={pathOf(name)}
      label={FIELD_LABELS[name]}
      hint={hint}
      fault={part.faults[pathOf(name)]}
      count={most ? [value.length, most] : undefined}
    >
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => part.onChange({ [name]: currentTarget.value })}
          onBlur={() => part.onLeave(pathOf(name))}
        />
      )}
    </FormField>
  );
};

export const Amount = (properties: TextProps) => <Text {...properties} input={{ inputMode: 'decimal' }} />;

type CreativeProps = Described & { name: CreativeField; most: number; isLong?: boolean; type?: string };

export const CreativeText = ({ part, name, hint, placeholder, most, isLong, type = 'text' }: CreativeProps) => {
  const { creative } = part.values;
  const path = `creative.${name}`;
  const set = (value: string) => part.onChange({ creative: { ...creative, [name]: value } });
  return (
    <FormField
      name={path}
      label={CREATIVE_LABELS[name]}
      hint={hint}
      fault={part.faults[path]}
      count={type === 'url' ? undefined : [creative[name].length, most]}
    >
      {(attributes) =>
        isLong ? (
          <textarea
            {...attributes}
            rows={3}
            placeholder={placeholder}
            value={creative[name]}
            onInput={({ currentTarget }) => set(currentTarget.value)}
            onBlur={() => part.onLeave(path)}
          />
        ) : (
          <input
            {...attributes}
            inputMode={type === 'url' ? 'url' : 'text'}
            placeholder={placeholder}
            autocomplete="off"
            value={creative[name]}
            onInput={({ currentTarget }) => set(currentTarget.value)}
            onBlur={() => part.onLeave(path)}
          />
        )
      }
    </FormField>
  );
};

export const TokenField = ({
  part,
  name,
  hint,
  placeholder,
  what,
  hasCommas = false,
}: Described & { name: ListField; what: string; hasCommas?: boolean }) => {
  const path = pathOf(name);
  return (
    <FormField name={path} label={FIELD_LABELS[name]} hint={hint} fault={part.faults[path]}>
      {(attributes) => (
        <TokenInput
          what={what}
          hasCommas={hasCommas}
          tokens={part.values[name]}
          {...(placeholder && { placeholder })}
          attributes={attributes}
          onChange={(tokens) => {
            part.onChange({ [name]: tokens });
            part.onLeave(path);
          }}
        />
      )}
    </FormField>
  );
};

const AUDIENCE: readonly string[] = ['keywords', 'excludedKeywords', 'categories', 'countries', 'languages'];
const DEMOGRAPHICS: readonly string[] = ['interests', 'ageRange'];

/** Where a field stands in the body. */
const pathOf = (name: string): string =>
  AUDIENCE.includes(name)
    ? `targetAudience.${name}`
    : DEMOGRAPHICS.includes(name)
      ? `targetAudience.demographics.${name}`
      : name;
