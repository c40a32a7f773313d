import { type Live, useLive } from '../parts/live.ts';
import { type Period, useRange } from './range.ts';

/** The query of something with its report. */
type ReportQuery = Period & { report: 'true' };

interface WithReport {
  report?: object[] | undefined;
}

interface Reported<T extends WithReport> extends Live<T> {
  /** The days of the range in the page's URL. Null while they load. */
  days: NonNullable<T['report']> | null;
}

/** Loads something with its report in one request, for the range in the page's URL. */
export function useReported<T extends WithReport>(id: string, load: (query: ReportQuery) => Promise<T>): Reported<T> {
  const { period } = useRange();
  const about = `${id} ${period.from} ${period.to}`;
  const { value, ...live } = useLive(
    async () => ({ about, loaded: await load({ report: 'true', ...period }) }),
    [about],
  );
  return {
    ...live,
    value: value?.loaded ?? null,
    // Hide the days of another range while these load. During a rollout, the previous version responds without them.
    days: value?.about === about ? (value.loaded.report ?? null) : null,
  };
}
