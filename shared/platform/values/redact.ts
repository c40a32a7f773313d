/** Separators between the digits of a number, including invisible ones. */
const GAP = String.raw`[\s()./\\|*_·•\-\u2010-\u2015\u2212\u00ad\u200b-\u200d\u2060]{0,3}`;

const DAY = String.raw`(?:(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:[12]\d|3[01]|0?[1-9])|(?:[12]\d|3[01]|0?[1-9])[-/.](?:[12]\d|3[01]|0?[1-9])[-/.](?:19|20)\d\d)`;
/** Dates, ranges of dates, and dates with an hour: "2026-11-20", "20.11.2026 - 24.11.2026", "2026-11-20 09". */
const DAYS = new RegExp(String.raw`^${DAY}(?:\s?[-–/ ]\s?${DAY})?(?:\s(?:[01]?\d|2[0-3]))?$`, 'u');
/** Ranges of years: "2024-2025". */
const YEARS = /^(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d$/u;

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

/**
 * Email addresses, including obfuscated ones such as "name [at] domain". The patterns search for the @ and match the name with a lookbehind.
 * A forward match of the name would take quadratic time on a word of thousands of letters.
 */
const ADDRESSES = [
  /[@＠](?<=([^\s@＠<>(),;:]{1,64})[@＠])[^\s@<>()"',;:]{1,255}/gu,
  /(?:@|[([{]at[)\]}])(?<=([\p{L}\p{Nd}._+-]{1,64} ?)(?:@|[([{]at[)\]}])) ?[\p{L}\p{Nd}._-]{1,255}(?:\.| ?[([{]dot[)\]}] ?)\p{L}{2,24}/giu,
];

/** Patterns of numbers to redact, with an optional check of the match. All parts are bounded, so the time is linear. */
const NUMBERS: [pattern: RegExp, isPrivate?: (found: string) => boolean][] = [
  // Account numbers: IBAN (ISO 13616), at least 15 characters with at least 8 digits.
  [
    /(?<![\p{L}\p{Nd}])[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]{4}){2,7}(?:[ .-]?[A-Z0-9]{1,4})?(?![\p{L}\p{Nd}])/giu,
    (found) => digitsIn(found) >= 8,
  ],
  // Phone, card, and account numbers: at least seven digits in any grouping, but not dates or ranges of years.
  [
    new RegExp(String.raw`(?:\+|\()?\p{Nd}(?:${GAP}\p{Nd}){6,}`, 'gu'),
    (found) => !(DAYS.test(found) || YEARS.test(found)),
  ],
  // Card numbers with commas between their groups.
  [/(?<!\d)\d{4}(?:,\d{4}){3}(?!\d)/g],
  // IP addresses: IPv4 with fewer than seven digits, and IPv6.
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g],
  [/(?<![\w:])[\da-f]{1,4}(?::{1,2}[\da-f]{1,4}){3,7}(?![\w:])/gi],
];

const REDACTED = '[redacted]';

/** Replaces email addresses, IP addresses, and phone, card, and account numbers, and then cuts the text to `maxLength` characters. */
export function redact(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  // Redact before the cut, which could split a number or address and make it unrecognizable.
  let kept = ADDRESSES.reduce(withoutAddresses, text.toWellFormed());
  for (const [pattern, isPrivate] of NUMBERS)
    kept = kept.replace(pattern, (found) => (isPrivate?.(found) === false ? found : REDACTED));
  return kept.slice(0, maxLength).toWellFormed();
}

function withoutAddresses(text: string, pattern: RegExp): string {
  let kept = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = Math.max(done, found.index - found[1]!.length);
    // No name is left: the text before the @ belongs to the previous address.
    if (text.slice(from, found.index).trim() === '') {
      pattern.lastIndex = found.index + 1;
      continue;
    }
    kept += text.slice(done, from) + REDACTED;
    done = pattern.lastIndex;
  }
  return kept + text.slice(done);
}
