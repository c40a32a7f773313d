import { useMemo } from 'preact/hooks';
import { BLOCKED_PRESETS, createCategories, createPresets, toCategories } from './categories.ts';
import { Combobox } from './combobox.tsx';
import type { Option } from './search.ts';

interface BlockedCategoriesProps {
  /** The field's name on the page. */
  name: string;
  blocked: readonly string[];
  fault?: string | undefined;
  onChange(categories: string[]): void;
}

/** The categories whose ads a publisher blocks, with buttons for those that most publishers block. */
export function BlockedCategories({ name, blocked, fault, onChange }: BlockedCategoriesProps) {
  const categories = useMemo(createCategories, []);
  const presets = Object.entries(BLOCKED_PRESETS).filter(([, names]) => names.some((one) => !blocked.includes(one)));
  const isOpen = ({ name: preset }: Option) => presets.some(([open]) => open === preset);
  const options = useMemo(() => [...createPresets().filter(isOpen), ...categories], [categories, presets.length]);
  return (
    <>
      <Combobox
        name={name}
        label="Blocked categories"
        need="optional"
        hint="Ads in these categories and below them are not shown."
        fault={fault}
        what="category"
        options={options}
        chosen={blocked}
        onChange={(codes) => onChange([...new Set(codes.flatMap(toCategories))])}
      />
      {presets.length > 0 && (
        <fieldset class="suggestions" aria-label="Often blocked">
          {presets.map(([preset, names]) => (
            <button
              key={preset}
              type="button"
              class="small"
              onClick={() => onChange([...new Set([...blocked, ...names])])}
            >
              <span aria-hidden="true">+ </span>
              {preset}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}
