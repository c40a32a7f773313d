/** A parsed amount. `says` explains what is wrong with the text. */
type TypedAmount = { kind: 'usd'; usd: number } | { kind: 'none' } | { kind: 'fault'; says: string };

/** Digits, with or without thousands groups, and optional decimals after a point. */
const AMOUNT = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\.\d+$/;
const FAULT = 'Enter an amount such as 1,234.50, with a comma for thousands and a point for decimals.';

/** Parses a typed amount. Rejects a comma that does not separate thousands: it may have meant a decimal point. */
export function parseAmount(text: string): TypedAmount {
  const typed = text.trim();
  if (typed === '') return { kind: 'none' };
  if (!AMOUNT.test(typed)) return { kind: 'fault', says: FAULT };
  return { kind: 'usd', usd: Number(typed.replaceAll(',', '')) };
}
