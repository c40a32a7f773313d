import * as z from 'zod';
import { HIDDEN, isBlank } from './characters.ts';
import { isCountry, isLanguage, likelyCountry } from './countries.ts';
import { NONE, OTHER, UNATTRIBUTED } from './dimensions.ts';

/** Formats a number with thousands separators. Intl would add 10 ms or more to a cold start. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Limits of an amount in USD. The decimals are limited so that it converts to whole micro-dollars. */
interface Amount {
  name: string;
  max: number;
  decimals: number;
}

/** USD from 0 to `max` with at most `decimals` decimals. */
export function usdAmount({ name, max, decimals }: Amount) {
  const message = `${name} must be an amount in USD from 0 to ${grouped(max)} with at most ${decimals} decimals`;
  const shape = new RegExp(`^\\d+(\\.\\d{1,${decimals}})?$`);
  return z
    .number(message)
    .min(0, message)
    .max(max, message)
    .refine((amount) => shape.test(String(amount)), message);
}

/** The name of the invalid field: the last name in the path of the issue. */
const getField = (path: readonly PropertyKey[] = []) =>
  path.filter((part) => typeof part === 'string').at(-1) ?? 'text';

/** A string without lone surrogates, which UTF-8 and therefore the store cannot represent. */
export const unicode = (message: Parameters<typeof z.string>[0]) =>
  z
    .string(message)
    .refine((value) => value.isWellFormed(), { error: ({ path }) => `${getField(path)} must be well-formed Unicode` });

/** Text of at most `max` characters. */
export const text = (name: string, max: number) => {
  const message = `${name} must be text of at most ${grouped(max)} characters`;
  return unicode(message).max(max, message);
};

/** A whole number in a query. */
export const wholeNumber = (name: string, min: number, max = Number.POSITIVE_INFINITY) => {
  const message = `${name} must be a whole number ${max < Number.POSITIVE_INFINITY ? `from ${min} to ${grouped(max)}` : `of at least ${min}`}`;
  return z
    .string(message)
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ minimum: min, ...(max < Number.POSITIVE_INFINITY && { maximum: max }) });
};

/** Reports use these words for counts without a value of their own. */
const RESERVED_LABELS: readonly string[] = [NONE, OTHER, UNATTRIBUTED];
const MAX_LABEL_BYTES = 64;

/** The publisher's own label of an A/B test. */
export const variantLabel = (name: string) => {
  const message = `${name} must be a label of 1 to ${MAX_LABEL_BYTES} bytes, without control characters, and none of ${RESERVED_LABELS.join(', ')}`;
  return unicode(message)
    .max(MAX_LABEL_BYTES, message)
    .refine((label) => !isBlank(label) && !HIDDEN.test(label), message)
    .refine((label) => Buffer.byteLength(label) <= MAX_LABEL_BYTES && !RESERVED_LABELS.includes(label), message)
    .nullish()
    .describe(
      'Your own label of an A/B test, such as `card-below`. Your reports and those of advertisers show it, so it must not identify a reader. It does not affect which ad is chosen',
    );
};

/** A list of at most `max` texts of 1 to 100 characters. */
export const listSchema = (name: string, max: number) => {
  const message = `${name} must be a list of at most ${max} entries of 1 to 100 characters each`;
  return z.array(unicode(message).trim().min(1, message).max(100, message), message).max(max, message);
};

/** ISO 3166-1 alpha-2 country code, in either case, converted to upper case. The error for an invalid code suggests the likely one. */
export const countryCode = (name: string) => {
  const error = ({ input }: { input?: unknown }) => {
    const likely = likelyCountry(input);
    return `${name} must be a two-letter ISO 3166-1 code such as US${likely ? `; did you mean ${likely}?` : ''}`;
  };
  return z
    .string({ error })
    .regex(/^[A-Za-z]{2}$/, { error, abort: true }) // other letters can uppercase to codes: "ß" becomes SS
    .transform((code) => code.toUpperCase())
    .refine(isCountry, { error });
};

/** ISO 639-1 language code, in either case, converted to lower case. The error for a locale suggests its language. */
export const languageCode = (name: string) => {
  const error = ({ input }: { input?: unknown }) => {
    const likely = typeof input === 'string' ? /^([a-z]{2})[-_]/i.exec(input)?.[1]?.toLowerCase() : undefined;
    return `${name} must be a two-letter ISO 639-1 code such as en${likely && isLanguage(likely) ? `; did you mean ${likely}?` : ''}`;
  };
  return z
    .string({ error })
    .regex(/^[A-Za-z]{2}$/, { error, abort: true })
    .transform((code) => code.toLowerCase())
    .refine(isLanguage, { error });
};

/** A DNS name in lower-case ASCII with at least one dot. Matches no IP address. */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The longest input that an error message repeats. */
const MAX_QUOTED = 100;

/** A domain such as shop.example. Non-ASCII domains are converted to Punycode. */
export const domain = (name: string) => {
  const message = `${name} must contain only domains such as shop.example, without scheme, port, or path`;
  return unicode(message)
    .trim()
    .transform((value, { addIssue }) => {
      const isHost = !/[\s/?#@:%\\[\]]/.test(value) && URL.canParse(`http://${value}`);
      const host = isHost ? new URL(`http://${value}`).hostname : '';
      if (DOMAIN.test(host)) return host;
      const isShort = value.length <= MAX_QUOTED;
      addIssue({ code: 'custom', message: isShort ? `${message}; “${value}” is not a domain` : message });
      return z.NEVER;
    });
};

const MAX_URL_LENGTH = 2_048;

/** An absolute http(s) URL or an empty string, serialized as the URL standard does, in ASCII: a space inside becomes %20. */
export const webUrl = (name: string) => {
  const message = `${name} must be an absolute http or https URL of at most ${grouped(MAX_URL_LENGTH)} characters (percent-encoded), without credentials or control characters`;
  return unicode(message)
    .max(MAX_URL_LENGTH, message)
    .refine((value) => value === '' || isPlainWebUrl(value), message)
    .transform((value) => (value === '' ? value : new URL(value).href))
    .refine((href) => href.length <= MAX_URL_LENGTH, message);
};

/** Rejects control characters, because URL parsing drops tabs and line ends without an error and may join two words. */
function isPlainWebUrl(value: string): boolean {
  return (
    /^ *https?:\/\/[^\s\p{Cc}/?#@\\]\P{Cc}*$/iu.test(value) && !/^[^/]*\/\/[^/?#]*@/.test(value) && URL.canParse(value)
  );
}

/** A flag in a query. */
export const yesOrNo = (name: string) => z.enum(['true', 'false'], `${name} must be true or false`);
