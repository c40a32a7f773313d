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

/** Paths of all texts and lists of texts in a configuration. */
type TextPath<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends string | string[]
    ? K
    : NonNullable<T[K]> extends number
      ? never
      : `${K}.${TextPath<NonNullable<T[K]>>}`;
}[keyof T & string];

/** Texts that are used as typed, without normalization. */
type AsTyped =
  | 'description'
  | 'bidStrategy'
  | 'status'
  | 'frequencyCap.per'
  | 'excludedPublishers'
  | 'startDate'
  | 'endDate'
  | `targetAudience.${'countries' | 'languages' | 'demographics.ageRange'}`
  | `creative.${string}`;

/**
 * Texts that are normalized, with their maximum length after normalization. The type requires every text to be here or in the list above.
 * For creatives, the table of creative fields (`isMatched`) decides.
 */
const NORMALIZED_TEXTS: Record<
  Exclude<TextPath<Configuration>, AsTyped>,
  [maxLength: number, texts: (configuration: Configuration) => string[]]
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
 * Checks rules that a schema cannot express: between fields, and between the update and the campaign. Checks only fields that change, so
 * that clients can send back a whole campaign stored before a rule existed. The desk's form also uses this function, so it must run in
 * browsers.
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
    const hiddenCharacter = findHiddenInLines(after.creative[field]);
    if (hiddenCharacter) {
      const message = `${field} must not contain invisible characters: remove ${hiddenCharacter}`;
      found.push({ path: `creative.${field}`, message });
    }
  }
  for (const [path, [limit, texts]] of [...Object.entries(NORMALIZED_TEXTS), ...NORMALIZED_CREATIVE_TEXTS]) {
    if (before && JSON.stringify(texts(after)) === JSON.stringify(texts(before))) continue;
    const field = path.split('.').at(-1);
    if (path.startsWith('targetAudience.') && texts(after).some(isBlank)) {
      found.push({ path, message: `${field} must not contain an entry of only invisible characters` });
      continue;
    }
    if (texts(after).every((text) => text.normalize('NFKC').length <= limit)) continue;
    const message = `${field} must also have at most ${grouped(limit)} characters when normalized to Unicode NFKC, which spells out characters such as ﷺ`;
    found.push({ path, message });
  }
  // A client may send back a whole campaign that has no landing page. Otherwise the URL must not be empty.
  if (input.creative?.landingUrl === '' && (before?.creative.landingUrl ?? null) !== '') {
    found.push({ path: 'creative.landingUrl', message: 'landingUrl must be an absolute http or https URL' });
  }
  if (after.startDate && after.endDate && after.endDate < after.startDate) {
    found.push({ path: 'endDate', message: 'endDate must not be before startDate' });
  }
  return found;
}
