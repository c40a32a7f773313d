import { DAY_MS, utcDay } from '../../shared/platform/clock.ts';
import { partOfDay, useRange } from '../figures/range.ts';
import { formatPercent, formatUsd, orNone } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import { useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import type { ReportDayBody } from './figures.tsx';

/** The days before today in a report of a week. */
const DAYS = 6;

/** Full days of the last week in which the campaign could spend, at least one. */
function daysAtWork({ createdAt, startDate }: CampaignBody, today: string): number {
  const [first] = [createdAt, startDate ?? '']
    .map((time) => time.slice(0, 10))
    .sort()
    .reverse();
  return Math.min(DAYS, Math.max(1, Math.round((Date.parse(today) - Date.parse(first!)) / DAY_MS)));
}

/** The days of the last week that are over. They do not change, so they are loaded only once, and only if the page's report lacks them. */
function useLastWeek(
  id: string,
  days: readonly ReportDayBody[] | null,
): readonly Pick<ReportDayBody, 'date' | 'spend'>[] {
  const { ads } = useSession();
  const { period } = useRange();
  const now = Date.now();
  const query = { from: utcDay(now - DAYS * DAY_MS), to: utcDay(now - DAY_MS) };
  const isInReport = period.from <= query.from && query.to <= period.to;
  const { value } = useLive(
    async () => (isInReport ? [] : ads('GET /api/v1/campaigns/{id}/report', { params: { id }, query })),
    [ads, id, query.from, isInReport],
    null,
  );
  return (isInReport ? days?.filter(({ date }) => query.from <= date && date <= query.to) : value) ?? [];
}

interface PaceProps {
  campaign: CampaignBody;
  /** The days of the page's report. Null while they load. */
  days: readonly ReportDayBody[] | null;
}

/** The spend in total and today, and how long the budget lasts at last week's rate. */
export function Pace({ campaign, days }: PaceProps) {
  // During a rollout, the previous version responds without `spentToday`.
  const { id, budget, dailyBudget, spentBudget, spentToday = null } = campaign;
  const now = Date.now();
  const past = daysAtWork(campaign, utcDay(now));
  const perDay = useLastWeek(id, days).reduce((sum, { spend }) => sum + spend, 0) / past;
  const left = Math.max(0, budget - spentBudget);
  const limit = Math.min(dailyBudget, budget);
  return (
    <section class="card" aria-label="Budget">
      <h2>Budget</h2>
      <dl class="facts">
        <div>
          <dt>Total</dt>
          <dd>
            {formatUsd(spentBudget)} <small>of {formatUsd(budget)}</small>
          </dd>
        </div>
      </dl>
      <Bar label="Spent of the budget" part={spentBudget} whole={budget} />
      <dl class="facts">
        <div>
          <dt>Today (UTC)</dt>
          <dd>
            {orNone(formatUsd)(spentToday)} <small>of {formatUsd(limit)}</small>
          </dd>
        </div>
      </dl>
      <Bar label="Spent of today’s budget" part={spentToday ?? 0} whole={limit} />
      <small>
        {formatPercent(partOfDay(now), 0)} of the day has passed.{' '}
        {perDay > 0 &&
          left > 0 &&
          `At ${past < DAYS ? 'its pace so far' : 'last week’s pace'} the remaining budget lasts ${lasts(left / perDay)}.`}
      </small>
    </section>
  );
}

const lasts = (days: number): string =>
  days > 365
    ? 'more than a year'
    : days < 1
      ? 'less than a day'
      : `${Math.round(days)} day${Math.round(days) === 1 ? '' : 's'}`;
