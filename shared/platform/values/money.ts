/**
 * Money is an integer of micro-dollars (1 USD = 1,000,000) everywhere behind the API, never a fraction. The largest budget,
 * 1,000,000,000 USD, is 10^15 micro-dollars and still a safe integer.
 */
export type Micros = number & { readonly unit: 'micro-dollars' };

export const micros = (integer: number): Micros => {
  if (!Number.isSafeInteger(integer)) throw new RangeError(`${integer} is not a whole number of micro-dollars`);
  return integer as Micros;
};

/** Converts USD with at most 6 decimals to micro-dollars. Exact, because rounding to the nearest integer removes the float error. */
export const fromUsd = (usd: number): Micros => micros(Math.round(usd * 1e6));

/** An amount up to the largest safe integer: for sums of amounts that advertisers report, which nothing else limits. */
export const cappedMicros = (sum: number): Micros => micros(Math.min(sum, Number.MAX_SAFE_INTEGER));

/** Converts micro-dollars to the USD number of API responses. */
export const toUsd = (amount: Micros): number => amount / 1e6;

/**
 * Rounds a CPM down to 3 decimals of USD, the precision of a bid (api 4.1). An impression then costs a whole number of micro-dollars.
 */
export const floorCpm = (cpm: number): Micros => micros(Math.floor(cpm / 1000) * 1000);

/** A share of an amount in ten-thousandths, rounded down. Uses BigInt, because the product may exceed the safe integers. */
export const takeShare = (amount: Micros, tenThousandths: number): Micros =>
  micros(Number((BigInt(amount) * BigInt(tenThousandths)) / 10_000n));

/** The cost of one impression: CPM / 1,000. */
export const impressionCost = (cpm: Micros): Micros => micros(cpm / 1000);
