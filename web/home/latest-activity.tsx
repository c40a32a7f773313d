import { ActivityList } from '../activity/activity-list.tsx';
import type { HomeBody } from './figures.tsx';

const LATEST = 5;

/** What changed last, and the way to all changes. */
export default function LatestActivity({ entries }: { entries: HomeBody['activity'] }) {
  return (
    <section class="card" aria-label="Latest activity">
      <div class="card-head">
        <h2>Latest activity</h2>
        <a href="/activity">All activity</a>
      </div>
      <ActivityList entries={entries.slice(0, LATEST)} />
    </section>
  );
}
