import type { ComponentChildren } from 'preact';

export interface FieldAttributes {
  id: string;
  dir: 'auto';
  'aria-describedby': string;
  'aria-invalid': boolean;
  'aria-required'?: boolean;
}

/** How a label marks its field. */
export type Need = 'required' | 'optional';

interface FieldProps {
  /** The field's API path, which errors and links refer to. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  need?: Need | undefined;
  /** The current length, and the maximum. */
  count?: readonly [number, number] | undefined;
  /** Renders the input with the IDs of the field's descriptions. The text direction follows the language of what is typed. */
  children(attributes: FieldAttributes): ComponentChildren;
}

/** A label, its input, and a hint or an error below it. */
export function FormField({ name, label, hint, fault, need, count, children }: FieldProps) {
  const [id, about] = [`field-${name}`, `about-${name}`];
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <div class="field-head">
        <label for={id}>
          {label}
          {need === 'required' && <span aria-hidden="true"> *</span>}
          {need === 'optional' && <small> (optional)</small>}
        </label>
        {count && (
          <small class={count[0] > count[1] ? 'over' : ''}>
            {count[0]} / {count[1]}
          </small>
        )}
      </div>
      {children({
        ...{ id, dir: 'auto', 'aria-describedby': about, 'aria-invalid': fault !== undefined },
        ...(need === 'required' && { 'aria-required': true }),
      })}
      <small id={about} class={fault ? 'fault' : 'hint'}>
        {fault ?? hint}
      </small>
    </div>
  );
}
