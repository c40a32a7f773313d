import type { KeyBody } from './data.ts';

export type AdStrictness = KeyBody['adStrictness'];

/** The levels, strictest first, with what each means for a publisher. */
export const LEVELS: readonly [level: AdStrictness, name: string, means: string][] = [
  [
    'strict',
    'Strict',
    'Fewest ads: only those that almost certainly fit. For assistants where a wrong ad costs trust.',
  ],
  ['balanced', 'Balanced', 'An ad if it is more likely to fit than not.'],
  ['open', 'Open', 'Most ads, and more that miss. For assistants where people shop.'],
];

interface StrictnessFieldProps {
  value: AdStrictness;
  onChange(value: AdStrictness): void;
}

/** How well an ad must fit before a key shows it. */
export const StrictnessField = ({ value, onChange }: StrictnessFieldProps) => (
  <fieldset class="checks">
    <legend>Ad strictness</legend>
    {LEVELS.map(([level, name, means]) => (
      <label key={level}>
        <input type="radio" name="adStrictness" checked={value === level} onChange={() => onChange(level)} />
        <span>
          {name}
          <small>{means}</small>
        </span>
      </label>
    ))}
  </fieldset>
);
