import { getKeys, toRecord } from '../platform/values/typed.ts';
import { asciiUrl, getDomain } from '../platform/values/urls.ts';

/**
 * Every field of a creative, in the order in which an ad shows its texts. The type, API schemas, defaults, merging, review, and version hash
 * all derive from this table; docs/architecture.md lists what else a new field needs.
 */
export const CREATIVE_FIELDS = {
  headline: { kind: 'text', max: 200, isMatched: true },
  description: { kind: 'text', max: 1_000, isMatched: true },
  callToAction: { kind: 'text', max: 50, isMatched: true },
  landingUrl: { kind: 'url' },
  imageUrl: { kind: 'url' },
  videoUrl: { kind: 'url' },
  thumbnailUrl: { kind: 'url' },
  sponsoredBy: { kind: 'text', max: 200, isMatched: false },
} as const satisfies Record<string, { kind: 'text'; max: number; isMatched: boolean } | { kind: 'url' }>;

type Fields = typeof CREATIVE_FIELDS;
export type CreativeField = keyof Fields;
type FieldOfKind<K extends string> = { [F in CreativeField]: Fields[F]['kind'] extends K ? F : never }[CreativeField];

/** The texts and URLs of an ad. A field that is not set is an empty string. */
export type Creative = Record<CreativeField, string>;

export const CREATIVE_FIELD_NAMES = /* @__PURE__ */ getKeys<CreativeField>(CREATIVE_FIELDS);
const namesOfKind = <K extends 'text' | 'url'>(kind: K) =>
  CREATIVE_FIELD_NAMES.filter((name): name is FieldOfKind<K> => CREATIVE_FIELDS[name].kind === kind);

/** The texts that people read, and that a publisher may pass to a language model. */
export const TEXT_FIELDS = /* @__PURE__ */ namesOfKind('text');
export const URL_FIELDS = /* @__PURE__ */ namesOfKind('url');
/** The texts that matching compares with conversations, after normalization. */
export const MATCHED_FIELDS = /* @__PURE__ */ TEXT_FIELDS.filter((name) => CREATIVE_FIELDS[name].isMatched);

export const EMPTY_CREATIVE: Creative = /* @__PURE__ */ toRecord(CREATIVE_FIELD_NAMES, () => '');

/** What the API reference says about each field. */
export const CREATIVE_DESCRIPTIONS: Record<CreativeField, string> = {
  headline: 'Headline of the ad. Required to serve',
  description: 'Body text of the ad',
  callToAction: 'What the user can do, such as "Buy now"',
  landingUrl: 'Where a click leads, http or https. Required to serve',
  imageUrl: 'Image of the ad. Required for the format `image`',
  videoUrl: 'Video of the ad. Required for the format `video`',
  thumbnailUrl: 'Still image of the video. Required for the format `video`',
  sponsoredBy: 'Advertiser that the disclosure names. Defaults to the domain of the landing page',
};

/** The maximum number of characters of a text; undefined for a URL. */
export function maxLength(name: FieldOfKind<'text'>): number;
export function maxLength(name: CreativeField): number | undefined;
export function maxLength(name: CreativeField): number | undefined {
  const field = CREATIVE_FIELDS[name];
  return field.kind === 'text' ? field.max : undefined;
}

/** The sponsor named by a creative, or an empty string. A name without a letter or digit ("...") identifies nobody and does not count. */
export const getSponsor = ({ sponsoredBy = '' }: Partial<Creative>): string =>
  /[\p{L}\p{N}]/u.test(sponsoredBy) ? sponsoredBy.trim() : '';

/** The advertiser named in an ad's disclosure. Readers must learn who pays, so the landing page's domain replaces a missing sponsor. */
export const getAdvertiser = (creative: Partial<Creative>): string =>
  getSponsor(creative) || getDomain(creative.landingUrl ?? '');

/** Converts the URLs to ASCII. Earlier versions stored them as typed by the advertiser. */
export const withAsciiUrls = (creative: Creative): Creative => ({
  ...creative,
  ...toRecord(URL_FIELDS, (name) => asciiUrl(creative[name] ?? '')),
});
