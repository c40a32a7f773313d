import { useMemo, useState } from 'preact/hooks';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { createCategories } from '../combobox/categories.ts';
import { createCountries, createLanguages } from '../combobox/places.ts';
import { FormField } from '../parts/field.tsx';
import { Amount, CreativeField, type FormPart, OptionsField, Text, TokenField } from './form-fields.tsx';
import { KeywordHelp } from './form-reach.tsx';
import type { FormValues } from './form-values.ts';
import { CREATIVE_INPUTS, FIELD_LABELS } from './labels.ts';

export const AdSection = (part: FormPart) => (
  <section class="card" aria-label="Ad">
    <h2>The ad</h2>
    <Text part={part} name="name" hint="Only you see it." most={200} />
    {getKeys(CREATIVE_INPUTS).map((name) => (
      <CreativeField
        key={name}
        part={part}
        name={name}
        hint={name === 'imageUrl' && !isShown(part.values.creative.imageUrl) ? NOT_SHOWN : undefined}
      />
    ))}
  </section>
);

const NOT_SHOWN = 'This page and most chats do not load images over http. Use https.';

/** Whether this page and any other HTTPS page can load an image from the URL. */
const isShown = (url: string): boolean => !/^http:/i.test(url) || url.startsWith(`${location.origin}/`);

interface AudienceProps extends FormPart {
  /** Phrases that a language model suggested for the campaign. */
  phrases: readonly string[];
}

export function AudienceSection({ phrases, ...part }: AudienceProps) {
  const countries = useMemo(createCountries, []);
  return (
    <section class="card" aria-label="Conversations">
      <h2>Conversations</h2>
      <TokenField
        part={part}
        name="keywords"
        what="keyword"
        hint="What people talk about when they want this. Press Enter or comma after each."
        placeholder="running shoes"
      />
      <KeywordHelp part={part} phrases={phrases} />
      <TokenField
        part={part}
        name="excludedKeywords"
        what="word"
        hint="The ad is not shown in conversations with these words."
      />
      <OptionsField
        part={part}
        name="countries"
        what="country"
        options={countries}
        hint="Leave empty for all countries."
      />
      <MoreAudience {...part} />
    </section>
  );
}

/** Opens when it contains a value or an error. Only the visitor closes it. */
function MoreAudience(part: FormPart) {
  const [isOpen, setOpen] = useState(hasMore(part.values));
  const categories = useMemo(createCategories, []);
  const languages = useMemo(createLanguages, []);
  const isWrong = Object.keys(part.faults).some((path) => /languages|categories|demographics/.test(path));
  return (
    <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>More about the audience</summary>
      <OptionsField
        part={part}
        name="interests"
        what="interest"
        options={categories}
        allowsOthers
        hint="Topics of the conversations, such as Running and Jogging, or your own words."
      />
      <OptionsField
        part={part}
        name="languages"
        what="language"
        options={languages}
        hint="Leave empty to use the language of the ad."
      />
      <OptionsField
        part={part}
        name="categories"
        what="category"
        options={categories}
        hint="What the ad is about. Publishers can block categories."
      />
      <Text part={part} name="ageRange" hint="For example 18-35. For your records only." />
    </details>
  );
}

const hasMore = ({ languages, interests, categories, ageRange }: FormValues): boolean =>
  [...languages, ...interests, ...categories].length > 0 || ageRange !== '';

const STRATEGIES: readonly [FormValues['bidStrategy'], string][] = [
  ['auto', 'Automatic: scale by relevance and pacing'],
  ['manual', 'Always bid the maximum'],
  ['maximize_clicks', 'Bid more when a click is likely'],
  ['target_cpa', 'Bid toward the target CPA'],
];

export const MoneySection = (part: FormPart) => (
  <section class="card" aria-label="Money and time">
    <h2>Money and time</h2>
    <div class="pair">
      <Amount part={part} name="budget" hint="The campaign never spends more than this." />
      <Amount part={part} name="dailyBudget" hint="Leave empty to use the total budget." />
    </div>
    <div class="pair">
      <Amount part={part} name="maxCpb" hint="For 1,000 impressions." />
      <FormField name="bidStrategy" label={FIELD_LABELS.bidStrategy} fault={part.faults.bidStrategy}>
        {(attributes) => (
          <select
            {...attributes}
            value={part.values.bidStrategy}
            onChange={({ currentTarget }) => {
              const chosen = STRATEGIES.find(([strategy]) => strategy === currentTarget.value);
              if (chosen) part.onChange({ bidStrategy: chosen[0] });
            }}
          >
            {STRATEGIES.map(([strategy, name]) => (
              <option key={strategy} value={strategy}>
                {name}
              </option>
            ))}
          </select>
        )}
      </FormField>
    </div>
    {part.values.bidStrategy === 'target_cpa' && (
      <Amount part={part} name="targetCpa" hint="What a conversion is worth to you." />
    )}
    <div class="pair">
      <Text part={part} name="startDate" hint="Leave empty to start now." input={{ type: 'date' }} />
      <Text part={part} name="endDate" hint="Leave empty for no end date." input={{ type: 'date' }} />
    </div>
  </section>
);
