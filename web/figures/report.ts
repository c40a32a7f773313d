import { type Live, useLive } from '../parts/live.ts';
import { type Period, useRange } from './range.ts';

/** Loads the days of the range in the page's URL. Null while those of another range load. */
export function useReport<D>(id: string, load: (period: Period) => Promise<D[]>): Pick<Live<D[]>, 'value' | 'problem'> {
  const { period } = useRange();
  const about = `${id} ${period.from} ${period.to}`;
  const { value, problem } = useLive(async () => ({ about, days: await load(period) }), [about]);
  return { value: value?.about === about ? value.days : null, problem };
}
