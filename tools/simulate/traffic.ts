/** Opportunities per second at an hour of the day, 1 on the whole: quiet before dawn, busiest in the evening. */
export const dailyCurve = (hour: number): number =>
  1 - 0.5 * Math.cos((2 * Math.PI * (hour - 5)) / 24) - 0.18 * Math.sin((4 * Math.PI * (hour - 2)) / 24);

/** How many come in a second in which `mean` are expected (Poisson; Knuth, TAOCP 2, section 3.4.1). */
export function arrivals(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}

/** A wait that is short mostly and long sometimes (exponential). */
export const wait = (meanMs: number, random: () => number): number => -Math.log(1 - random()) * meanMs;
