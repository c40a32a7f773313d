import { keysOf, recordOf } from '../../shared/platform/values/typed.ts';
import { generator } from '../random.ts';
import { percentile } from '../statistics.ts';

const RESAMPLES = 1_000;
/** Any number will do; always the same one makes a run repeat. */
const SEED = 20_261_120;

export interface Interval {
  low: number;
  high: number;
}

/**
 * 95 % confidence intervals by bootstrap: what the figures would be on other samples of the same kind, drawn from this one
 * with replacement. One interval for each member of what `measure` gives.
 */
export function bootstrap<T, K extends string>(
  sample: readonly T[],
  measure: (resample: T[]) => Record<K, number>,
): Record<K, Interval> {
  const random = generator(SEED);
  const draw = () => sample[Math.floor(random() * sample.length)]!;
  const results = Array.from({ length: RESAMPLES }, () => measure(Array.from(sample, draw)));
  const names = keysOf(results[0]!);
  const intervalOf = (name: K): Interval => {
    const values = results.map((result) => result[name]).sort((a, b) => a - b);
    return { low: percentile(values, 0.025), high: percentile(values, 0.975) };
  };
  return recordOf(names, intervalOf);
}
