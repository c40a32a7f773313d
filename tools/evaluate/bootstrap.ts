import { getKeys, toRecord } from '../../shared/platform/values/typed.ts';
import { generator } from '../random.ts';
import { percentile } from '../statistics.ts';

const RESAMPLES = 1_000;
/** Arbitrary, but fixed, so that results are reproducible. */
const SEED = 20_261_120;

export interface Interval {
  low: number;
  high: number;
}

/** 95 % confidence intervals by bootstrap (resampling with replacement), one for each member of the result of `measure`. */
export function bootstrap<T, K extends string>(
  sample: readonly T[],
  measure: (resample: T[]) => Record<K, number>,
): Record<K, Interval> {
  const random = generator(SEED);
  const draw = () => sample[Math.floor(random() * sample.length)]!;
  const results = Array.from({ length: RESAMPLES }, () => measure(Array.from(sample, draw)));
  const names = getKeys(results[0]!);
  const intervalOf = (name: K): Interval => {
    const values = results.map((result) => result[name]).sort((a, b) => a - b);
    return { low: percentile(values, 0.025), high: percentile(values, 0.975) };
  };
  return toRecord(names, intervalOf);
}
