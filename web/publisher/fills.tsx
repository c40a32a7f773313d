import { formatCount, formatRate } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import type { KeyDayBody } from './data.ts';
import { LEVELS } from './strictness.tsx';

const MAX_DAYS = 7;

/** What each level of strictness would have filled on the last days of the report. */
export function Fills({ days }: { days: readonly KeyDayBody[] }) {
  // Days of an earlier version have no counts of levels.
  const counted = days
    .slice(-MAX_DAYS)
    .flatMap(({ requests, approximateFills: fills }) => (fills ? [{ requests, fills }] : []));
  const requests = counted.reduce((sum, day) => sum + day.requests, 0);
  if (requests === 0) return null;
  return (
    <section aria-label="Fills by strictness">
      <h3>Requests that each strictness would have filled</h3>
      <ul class="bars">
        {LEVELS.map(([level, name]) => {
          const filled = counted.reduce((sum, { fills }) => sum + fills[level], 0);
          return (
            <li key={level}>
              <div class="row">
                <span>{name}</span>
                <span>
                  about {formatCount(filled)} of {formatCount(requests)} ({formatRate(Math.min(1, filled / requests))})
                </span>
              </div>
              <Bar label={name} part={filled} whole={requests} />
            </li>
          );
        })}
      </ul>
      <small>
        {counted.length === 1 ? 'One day' : `The last ${counted.length} days`} of this report. An estimate: with more
        ads, budgets would run out sooner, and conversations would reach their limits.
      </small>
    </section>
  );
}
