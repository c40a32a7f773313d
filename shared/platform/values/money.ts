/**
 * Money is an integer of micro-dollars (1 USD = 1,000,000) from HTTP inwards; no float ever holds it.
 * The largest budget, 1,000,000,000 USD, is 10^15 micro-dollars and stays a safe integer.
 */
export type Micros = number & { readonly unit: 'micro-dollars' };

export const micros = (integer: number): Micros => {
  if (!Number.isSafeInteger(integer)) throw new RangeError(`${integer} is not a whole number of micro-dollars`);
  return integer as Micros;
};

/** USD as a client writes it, at most 6 decimals, to micro-dollars. Exact: the nearest integer is the one written. */
export const fromUsd = (usd: number): Micros => micros(Math.round(usd * 1e6));

/** Micro-dollars to the USD number that is answered. */
export const toUsd = (amount: Micros): number => amount / 1e6;

/**
 * A CPM in micro-dollars, rounded down to the 3 decimals of USD that a bid may have (api 4.1):
 * so that one impression costs a whole number of micro-dollars.
 */
export const floorCpm = (cpm: number): Micros => micros(Math.floor(cpm / 1000) * 1000);

/** A part of an amount, in ten-thousandths of it, rounded down. A product of both may be no safe integer. */
export const takeShare = (amount: Micros, tenThousandths: number): Micros =>
  micros(Number((BigInt(amount) * BigInt(tenThousandths)) / 10_000n));

/** What one impression costs at a CPM: cost per mille / 1,000. */
export const impressionCost = (cpm: Micros): Micros => micros(cpm / 1000);
