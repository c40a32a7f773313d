/** What people put between the digits of a number, signs that cannot be seen included. */
const GAP = String.raw`[\s()./\\|*_·•\-\u2010-\u2015\u2212\u00ad\u200b-\u200d\u2060]{0,3}`;

const DAY = String.raw`(?:(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:[12]\d|3[01]|0?[1-9])|(?:[12]\d|3[01]|0?[1-9])[-/.](?:[12]\d|3[01]|0?[1-9])[-/.](?:19|20)\d\d)`;
/** Days, with an hour or up to another one: "2026-11-20", "20.11.2026 - 24.11.2026", "2026-11-20 09". */
const DAYS = new RegExp(String.raw`^${DAY}(?:\s?[-–/ ]\s?${DAY})?(?:\s(?:[01]?\d|2[0-3]))?$`, 'u');
/** Years from one to another: "2024-2025". */
const YEARS = /^(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d$/u;

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

/**
 * E-mail addresses, also spelled so that programs do not see them, by the sign between name and domain. The name is looked for backwards from
 * there: looked for forwards, a word of thousands of letters would be read again from each of them.
 */
const ADDRESSES = [
  /[@＠](?<=([^\s@＠<>(),;:]{1,64})[@＠])[^\s@<>()"',;:]{1,255}/gu,
  /(?:@|[([{]at[)\]}])(?<=([\p{L}\p{Nd}._+-]{1,64} ?)(?:@|[([{]at[)\]}])) ?[\p{L}\p{Nd}._-]{1,255}(?:\.| ?[([{]dot[)\]}] ?)\p{L}{2,24}/giu,
];

/** Numbers that are replaced, and where what was found decides, whether it is. All parts are bounded, so that the time is linear. */
const NUMBERS: [pattern: RegExp, isPrivate?: (found: string) => boolean][] = [
  // Account numbers: IBAN (ISO 13616), 15 characters or more, most of them digits.
  [
    /(?<![\p{L}\p{Nd}])[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]{4}){2,7}(?:[ .-]?[A-Z0-9]{1,4})?(?![\p{L}\p{Nd}])/giu,
    (found) => digitsIn(found) >= 8,
  ],
  // Telephone, card and account numbers: seven digits or more, however they are grouped; days and years are none.
  [
    new RegExp(String.raw`(?:\+|\()?\p{Nd}(?:${GAP}\p{Nd}){6,}`, 'gu'),
    (found) => !(DAYS.test(found) || YEARS.test(found)),
  ],
  // Card numbers, also where commas stand between their groups.
  [/(?<!\d)\d{4}(?:,\d{4}){3}(?!\d)/g],
  // Internet addresses of fewer digits, or of letters too.
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g],
  [/(?<![\w:])[\da-f]{1,4}(?::{1,2}[\da-f]{1,4}){3,7}(?![\w:])/gi],
];

const REDACTED = '[redacted]';

/** A text with e-mail addresses, phone, card and account numbers replaced, and then cut to so many characters. */
export function redact(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  // Before the cut: nothing is half recognized there, or drawn over it by what was replaced.
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
    // What the address before ends with is no name of this one.
    if (text.slice(from, found.index).trim() === '') {
      pattern.lastIndex = found.index + 1;
      continue;
    }
    kept += text.slice(done, from) + REDACTED;
    done = pattern.lastIndex;
  }
  return kept + text.slice(done);
}
