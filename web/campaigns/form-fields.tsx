import type { JSX } from 'preact';
import { maxLength } from '../../shared/campaigns/creative.ts';
import type { Faults } from '../errors.ts';
import { FormField } from '../parts/field.tsx';
import { TokenInput } from '../parts/token-input.tsx';
import type { FormValues } from './form-values.ts';
import { CREATIVE_INPUTS, FIELD_LABELS } from './labels.ts';

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

interface CreativeFieldProps {
  part: FormPart;
  name: keyof typeof CREATIVE_INPUTS;
  /** Replaces the usual hint. */
  hint?: string | undefined;
}

export const CreativeField = ({ part, name, hint }: CreativeFieldProps) => {
  const input = CREATIVE_INPUTS[name];
  const { creative } = part.values;
  const path = `creative.${name}`;
  const max = maxLength(name);
  const typing = {
    placeholder: input.placeholder,
    value: creative[name],
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      part.onChange({ creative: { ...creative, [name]: currentTarget.value } }),
    onBlur: () => part.onLeave(path),
  };
  return (
    <FormField
      name={path}
      label={input.label}
      hint={hint ?? input.hint}
      fault={part.faults[path]}
      count={max === undefined ? undefined : [creative[name].length, max]}
    >
      {(attributes) =>
        input.isLong ? (
          <textarea {...attributes} {...typing} rows={3} />
        ) : (
          <input {...attributes} {...typing} inputMode={max === undefined ? 'url' : 'text'} autocomplete="off" />
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
