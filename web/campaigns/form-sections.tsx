import { useMemo } from 'preact/hooks';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { parseAmount } from '../amount.ts';
import { createCategories } from '../combobox/categories.ts';
import { createCountries, createLanguages } from '../combobox/places.ts';
import type { Option } from '../combobox/search.ts';
import { FormField } from '../parts/field.tsx';
import { Amount, CreativeField, type FormPart, OptionsField, Text, TokenField } from './form-fields.tsx';
import { KeywordHelp } from './form-reach.tsx';
import type { FormValues } from './form-values.ts';
import { CREATIVE_LABELS, FIELD_LABELS, nameUnknownPublisher, STRATEGIES } from './labels.ts';
import { isPublisher } from './publishers.ts';

export const AdSection = (part: FormPart) => (
  <section class="card" aria-label="Ad">
    <h2>Ad</h2>
    <Text part={part} name="name" hint="Only you see it." most={200} />
    {getKeys(CREATIVE_LABELS).map((name) => (
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

interface TargetingProps extends FormPart {
  /** Phrases that a language model suggested for the campaign. */
  phrases: readonly string[];
  /** Publishers that have shown the campaign. */
  publishers: readonly Option[];
}

export function TargetingSection({ phrases, publishers, ...part }: TargetingProps) {
  const countries = useMemo(createCountries, []);
  const languages = useMemo(createLanguages, []);
  const categories = useMemo(createCategories, []);
  return (
    <section class="card" aria-label="Targeting">
      <h2>Targeting</h2>
      <fieldset class="group">
        <legend>
          Keywords or interests<span aria-hidden="true"> *</span>
        </legend>
        <TokenField
          part={part}
          name="keywords"
          what="keyword"
          hint="Words that people use when they want this. Press Enter after each."
        />
        <KeywordHelp part={part} phrases={phrases} />
        <OptionsField
          part={part}
          name="interests"
          what="interest"
          options={categories}
          allowsOthers
          hint="Topics that people talk about, from the list or in your own words."
        />
      </fieldset>
      <TokenField
        part={part}
        name="excludedKeywords"
        what="word"
        hint="The ad is not shown in conversations with these words."
      />
      <OptionsField
        part={part}
        name="excludedPublishers"
        what="publisher"
        options={publishers}
        isCode={isPublisher}
        nameCode={nameUnknownPublisher}
        expected="Enter an ID such as pub_7F3KQ2M9XW4A."
        hint={
          publishers.length > 0
            ? 'They do not show the ad. Choose from those that did in the last 93 days, or enter an ID.'
            : 'They do not show the ad. Exclude them in a campaign’s breakdown by publisher, whose CSV has their IDs.'
        }
      />
      <div class="pair">
        <OptionsField
          part={part}
          name="countries"
          what="country"
          options={countries}
          hint="Leave empty for all countries."
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
        <Text
          part={part}
          name="ageRange"
          hint="Example: 18-35. For your records: it does not affect who sees the ad."
        />
      </div>
    </section>
  );
}

const ABOVE = <span class="warning">The daily budget is above the total budget, so it limits nothing.</span>;

/** Whether the daily budget is above the total one. */
function isAbove({ budget, dailyBudget }: FormValues): boolean {
  const [total, daily] = [parseAmount(budget), parseAmount(dailyBudget)];
  return total.kind === 'usd' && daily.kind === 'usd' && daily.usd > total.usd;
}

export const BudgetSection = (part: FormPart) => (
  <section class="card" aria-label="Budget and schedule">
    <h2>Budget and schedule</h2>
    <div class="pair">
      <Amount part={part} name="budget" hint="The campaign never spends more than this." />
      <Amount
        part={part}
        name="dailyBudget"
        hint={isAbove(part.values) ? ABOVE : 'Leave empty to use the total budget.'}
      />
      <Amount part={part} name="maxCpb" hint="For 1,000 impressions." />
      <FormField
        name="bidStrategy"
        label={FIELD_LABELS.bidStrategy}
        hint={STRATEGIES[part.values.bidStrategy][1]}
        fault={part.faults.bidStrategy}
      >
        {(attributes) => (
          <select
            {...attributes}
            value={part.values.bidStrategy}
            onChange={({ currentTarget }) => {
              const bidStrategy = getKeys(STRATEGIES).find((strategy) => strategy === currentTarget.value);
              if (bidStrategy) part.onChange({ bidStrategy });
            }}
          >
            {getKeys(STRATEGIES).map((strategy) => (
              <option key={strategy} value={strategy}>
                {STRATEGIES[strategy][0]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {part.values.bidStrategy === 'target_cpa' && (
        <Amount part={part} name="targetCpa" hint="What a conversion is worth to you." />
      )}
    </div>
    <div class="pair">
      <Text part={part} name="startDate" hint="Leave empty to start now." input={{ type: 'date' }} />
      <Text part={part} name="endDate" hint="Leave empty for no end date." input={{ type: 'date' }} />
    </div>
    <CapField {...part} />
    <div class="pair">
      <Text
        part={part}
        name="conversionWindowDays"
        hint="How long after a click a conversion counts: 1 to 90 days."
        input={{ inputMode: 'numeric' }}
      />
    </div>
  </section>
);

const CAPS: Readonly<Record<FormValues['frequencyCap']['per'], string>> = {
  none: 'No limit',
  conversation: 'Per conversation',
  day: 'Per day (UTC)',
};

/** How often the ad may appear in one conversation. */
function CapField({ values: { frequencyCap }, faults, onChange, onLeave }: FormPart) {
  const { per, impressions } = frequencyCap;
  const path = 'frequencyCap.impressions';
  return (
    <div class="pair">
      <FormField
        name="frequencyCap"
        label={FIELD_LABELS.frequencyCap}
        hint="Works where publishers send a conversation ID."
      >
        {(attributes) => (
          <select
            {...attributes}
            value={per}
            onChange={({ currentTarget }) => {
              const chosen = getKeys(CAPS).find((cap) => cap === currentTarget.value);
              if (chosen) onChange({ frequencyCap: { per: chosen, impressions } });
            }}
          >
            {getKeys(CAPS).map((cap) => (
              <option key={cap} value={cap}>
                {CAPS[cap]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {per !== 'none' && (
        <FormField name={path} label="Maximum impressions" fault={faults[path]} need="required">
          {(attributes) => (
            <input
              {...attributes}
              inputMode="numeric"
              autocomplete="off"
              value={impressions}
              onInput={({ currentTarget }) => onChange({ frequencyCap: { per, impressions: currentTarget.value } })}
              onBlur={() => onLeave(path)}
            />
          )}
        </FormField>
      )}
    </div>
  );
}
