import type { ComponentChildren, JSX } from 'preact';
import { maxLength } from '../../shared/campaigns/creative.ts';
import { Combobox } from '../combobox/combobox.tsx';
import type { Option } from '../combobox/search.ts';
import type { Faults } from '../errors.ts';
import { FormField } from '../parts/field.tsx';
import { TokenInput } from '../parts/token-input.tsx';
import { addScheme } from '../web-address.ts';
import type { NewCampaign } from './bodies.ts';
import type { FormValues } from './form-values.ts';
import { CREATIVE_LABELS, FIELD_LABELS } from './labels.ts';
import type { PreviewBody } from './preview.ts';

/** Fields that a campaign needs to launch, by the path in the API. Target CPA only with its strategy. */
const REQUIRED: readonly string[] = ['name', 'creative.headline', 'creative.landingUrl', 'budget', 'targetCpa'];
/** Fields without a mark of their own: prefilled ones, and those of which one is required, whose group has the mark. */
const UNMARKED: readonly string[] = [
  ...['maxCpb', 'bidStrategy', 'frequencyCap', 'conversionWindowDays'],
  ...['targetAudience.keywords', 'targetAudience.demographics.interests'],
];

/** Whether the form marks the field as required or as optional. */
const getNeed = (path: string): 'required' | 'optional' | undefined =>
  REQUIRED.includes(path) ? 'required' : UNMARKED.includes(path) ? undefined : 'optional';

/** The props of every part of the form. */
export interface FormPart {
  values: FormValues;
  faults: Faults;
  onChange(change: Partial<FormValues>): void;
  /** A preview of this ad includes the service's review of it. */
  onReviewed(creative: NewCampaign['creative'], serving: PreviewBody['serving']): void;
  /** Shows the field's errors once the visitor leaves it. */
  onLeave(path: string): void;
  /** The field contains text that is not an entry of its list. Null once it does not. */
  onUnknown(path: string, fault: string | null): void;
}

type Labelled = keyof typeof FIELD_LABELS;
type TextField = { [K in Labelled]: FormValues[K] extends string ? K : never }[Labelled];
type ListField = { [K in Labelled]: FormValues[K] extends string[] ? K : never }[Labelled];

interface Described {
  part: FormPart;
  hint?: ComponentChildren;
  placeholder?: string;
}

type TextProps = Described & { name: TextField; most?: number; input?: JSX.IntrinsicElements['input'] };

export const Text = ({ part, name, hint, most, input }: TextProps) => {
  const value = part.values[name];
  return (
    <FormField
      name={toPath(name)}
      label={FIELD_LABELS[name]}
      hint={hint}
      fault={part.faults[toPath(name)]}
      need={getNeed(toPath(name))}
      count={most ? [value.length, most] : undefined}
    >
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => part.onChange({ [name]: currentTarget.value })}
          onBlur={() => part.onLeave(toPath(name))}
        />
      )}
    </FormField>
  );
};

export const Amount = (properties: TextProps) => <Text {...properties} input={{ inputMode: 'decimal' }} />;

/** How the form shows a field of the creative. */
interface CreativeInput {
  hint?: string;
  placeholder?: string;
  isLong?: true;
}

const CREATIVE_INPUTS: Readonly<Record<keyof typeof CREATIVE_LABELS, CreativeInput>> = {
  headline: { placeholder: 'Shoes that forgive long runs' },
  description: { isLong: true },
  callToAction: { placeholder: 'Find your pair' },
  landingUrl: { hint: 'Where a click leads.', placeholder: 'https://shop.example/shoes' },
  sponsoredBy: { hint: 'Shown next to “Sponsored”. Leave empty for the domain of the landing page.' },
  imageUrl: { placeholder: 'https://…' },
};

interface CreativeFieldProps {
  part: FormPart;
  name: keyof typeof CREATIVE_LABELS;
  /** Replaces the default hint. */
  hint?: string | undefined;
}

export const CreativeField = ({ part, name, hint }: CreativeFieldProps) => {
  const input = CREATIVE_INPUTS[name];
  const { creative } = part.values;
  const path = `creative.${name}`;
  const max = maxLength(name);
  const isUrl = max === undefined;
  const typing = {
    placeholder: input.placeholder,
    value: creative[name],
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      part.onChange({ creative: { ...creative, [name]: currentTarget.value } }),
    onBlur: () => {
      const complete = addScheme(creative[name]);
      if (isUrl && complete !== creative[name]) part.onChange({ creative: { ...creative, [name]: complete } });
      part.onLeave(path);
    },
  };
  return (
    <FormField
      name={path}
      label={CREATIVE_LABELS[name]}
      hint={hint ?? input.hint}
      fault={part.faults[path]}
      need={getNeed(path)}
      count={isUrl ? undefined : [creative[name].length, max]}
    >
      {(attributes) =>
        input.isLong ? (
          <textarea {...attributes} {...typing} rows={3} />
        ) : (
          <input {...attributes} {...typing} inputMode={isUrl ? 'url' : 'text'} autocomplete="off" />
        )
      }
    </FormField>
  );
};

interface TokenProps extends Described {
  name: ListField;
  what: string;
}

export const TokenField = ({ part, name, hint, placeholder, what }: TokenProps) => {
  const path = toPath(name);
  return (
    <FormField name={path} label={FIELD_LABELS[name]} hint={hint} fault={part.faults[path]} need={getNeed(path)}>
      {(attributes) => (
        <TokenInput
          what={what}
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

interface OptionsProps extends Described {
  name: ListField;
  what: string;
  options: readonly Option[];
  allowsOthers?: boolean;
  isCode?(text: string): boolean;
  nameCode?(code: string): string;
  expected?: string;
}

/** A list whose entries have names to choose from. */
export const OptionsField = ({ part, name, ...others }: OptionsProps) => {
  const path = toPath(name);
  return (
    <Combobox
      {...others}
      name={path}
      label={FIELD_LABELS[name]}
      fault={part.faults[path]}
      chosen={part.values[name]}
      onChange={(codes) => part.onChange({ [name]: codes })}
      onLeave={() => part.onLeave(path)}
      onUnknown={(fault) => part.onUnknown(path, fault)}
      need={getNeed(path)}
    />
  );
};

const AUDIENCE: readonly string[] = ['keywords', 'excludedKeywords', 'categories', 'countries', 'languages'];
const DEMOGRAPHICS: readonly string[] = ['interests', 'ageRange'];

/** The field's path in the request body. */
const toPath = (name: string): string =>
  AUDIENCE.includes(name)
    ? `targetAudience.${name}`
    : DEMOGRAPHICS.includes(name)
      ? `targetAudience.demographics.${name}`
      : name;
