/** A parsed amount. `says` explains what is wrong with the text. */
type TypedAmount = { kind: 'usd'; usd: number } | { kind: 'none' } | { kind: 'fault'; says: string };

/** Digits, with or without a dollar sign and thousands groups, and optional decimals after a point. */
const AMOUNT = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\.\d+$/;
const FAULT = 'Enter an amount such as 1,234.50, with a comma for thousands and a decimal point.';
const NEGATIVE = 'The amount must be more than 0.';

/** Parses a typed amount. Rejects a comma that does not separate thousands: it may have meant a decimal point. */
export function parseAmount(text: string): TypedAmount {
  const typed = text.trim().replace(/^\$\s*(?=.)/, '');
  if (typed === '') return { kind: 'none' };
  if (/^[-−]\s*\$?[\d.]/.test(typed)) return { kind: 'fault', says: NEGATIVE };
  if (!AMOUNT.test(typed)) return { kind: 'fault', says: FAULT };
  return { kind: 'usd', usd: Number(typed.replaceAll(',', '')) };
}
