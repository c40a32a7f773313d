import { isBlank } from '../platform/values/characters.ts';
import { grouped } from '../platform/values/value-schema.ts';
import type { Configuration } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { MATCHED_FIELDS, maxLength, TEXT_FIELDS } from './creative.ts';
import { findHidden, findHiddenInLines } from './hidden.ts';

export interface FieldError {
  path: string;
  message: string;
}

/** The paths to all texts, and lists of texts, of what an advertiser configures. */
type TextPath<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends string | string[]
    ? K
    : NonNullable<T[K]> extends number
      ? never
      : `${K}.${TextPath<NonNullable<T[K]>>}`;
}[keyof T & string];

/** Those that are used as they came. */
type AsTyped =
  | 'description'
  | 'bidStrategy'
  | 'status'
  | 'frequencyCap.per'
  | 'startDate'
  | 'endDate'
  | `targetAudience.${'countries' | 'languages' | 'demographics.ageRange'}`
  | `creative.${string}`;

/**
 * The texts that are normalized, and how long each may be after normalization. A new text of a campaign does not compile until it is here
 * or in the list above; the fields of a creative say so themselves.
 */
const NORMALIZED_TEXTS: Record<
  Exclude<TextPath<Configuration>, AsTyped>,
  [most: number, texts: (configuration: Configuration) => string[]]
> = {
  name: [200, ({ name }) => [name]],
  'targetAudience.keywords': [100, ({ targetAudience }) => targetAudience.keywords],
  'targetAudience.excludedKeywords': [100, ({ targetAudience }) => targetAudience.excludedKeywords],
  'targetAudience.demographics.interests': [100, ({ targetAudience }) => targetAudience.demographics.interests],
  'targetAudience.categories': [100, ({ targetAudience }) => targetAudience.categories],
};

const NORMALIZED_CREATIVE_TEXTS = MATCHED_FIELDS.map(
  (name) => [`creative.${name}`, [maxLength(name), ({ creative }: Configuration) => [creative[name]]]] as const,
);

/**
 * The rules that hold between fields, and between a body and what it would change; the schema holds all others. What was stored
 * before a rule came may stay, and come back in a whole object: a rule holds for what changes. The page's form goes by them too, so
 * that nothing here may need more than a browser has.
 */
export function fieldErrors(input: CampaignInput, after: Configuration, before?: Configuration): FieldError[] {
  const found: FieldError[] = [];
  const hidden = after.name === before?.name ? undefined : findHidden(after.name);
  if (hidden) {
    const message = `Campaign name must not contain invisible characters: remove ${hidden}`;
    found.push({ path: 'name', message });
  }
  for (const field of TEXT_FIELDS) {
    if (after.creative[field] === before?.creative[field]) continue;
    const sign = findHiddenInLines(after.creative[field]);
    if (sign) {
      const message = `${field} must not contain invisible characters: remove ${sign}`;
      found.push({ path: `creative.${field}`, message });
    }
  }
  for (const [path, [most, texts]] of [...Object.entries(NORMALIZED_TEXTS), ...NORMALIZED_CREATIVE_TEXTS]) {
    if (before && JSON.stringify(texts(after)) === JSON.stringify(texts(before))) continue;
    const field = path.split('.').at(-1);
    if (path.startsWith('targetAudience.') && texts(after).some(isBlank)) {
      found.push({ path, message: `${field} must not contain an entry of only invisible characters` });
      continue;
    }
    if (texts(after).every((text) => text.normalize('NFKC').length <= most)) continue;
    const message = `${field} must also have at most ${grouped(most)} characters when normalized to Unicode NFKC, which spells out characters such as ﷺ`;
    found.push({ path, message });
  }
  // A client may send back a whole object whose address was never set; nobody may clear or create one with nothing.
  if (input.creative?.landingUrl === '' && (before?.creative.landingUrl ?? null) !== '') {
    found.push({ path: 'creative.landingUrl', message: 'landingUrl must be an absolute http or https URL' });
  }
  if (after.startDate && after.endDate && after.endDate < after.startDate) {
    found.push({ path: 'endDate', message: 'endDate must not be before startDate' });
  }
  return found;
}
