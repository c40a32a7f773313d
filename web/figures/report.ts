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
  const live = useLive(async () => ({ ...(await load({ report: 'true', ...period })), about }), [about]);
  const { value } = live;
  // Hide the days of another range while these load. During a rollout, the previous version responds without them.
  return { ...live, days: value?.about === about ? (value.report ?? null) : null };
}
