import type { ComponentChildren } from 'preact';

export interface FieldAttributes {
  id: string;
  dir: 'auto';
  'aria-describedby': string;
  'aria-invalid': boolean;
}

interface FieldProps {
  /** The field's path, by which faults are found and links lead here. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** How many characters there are, of how many. */
  count?: readonly [number, number] | undefined;
  /** Gets the ids of what describes it; what is typed runs the way of its language. */
  children(attributes: FieldAttributes): ComponentChildren;
}

/** A label, its input, and below it what helps or what is wrong. */
export function FormField({ name, label, hint, fault, count, children }: FieldProps) {
  const [id, about] = [`field-${name}`, `about-${name}`];
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <div class="field-head">
        <label for={id}>{label}</label>
        {count && (
          <small class={count[0] > count[1] ? 'over' : ''}>
            {count[0]} / {count[1]}
          </small>
        )}
      </div>
      {children({ id, dir: 'auto', 'aria-describedby': about, 'aria-invalid': fault !== undefined })}
      <small id={about} class={fault ? 'fault' : 'hint'}>
        {fault ?? hint}
      </small>
    </div>
  );
}
