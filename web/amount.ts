/** An amount as it is typed: of dollars, of nothing, or of something else, which is a fault. */
type TypedAmount = { kind: 'usd'; usd: number } | { kind: 'none' } | { kind: 'fault'; says: string };

/** Digits in groups of three or without groups, and then decimals behind a point. */
const AMOUNT = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?$|^\.\d+$/;
const FAULT = 'Enter an amount such as 1,234.50, with a comma for thousands and a point for decimals.';

/** What an amount that somebody typed is. A comma that does not group thousands may have meant a point: nobody guesses with money. */
export function amountOf(text: string): TypedAmount {
  const typed = text.trim();
  if (typed === '') return { kind: 'none' };
  if (!AMOUNT.test(typed)) return { kind: 'fault', says: FAULT };
  return { kind: 'usd', usd: Number(typed.replaceAll(',', '')) };
}
