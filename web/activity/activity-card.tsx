import { useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSeen } from '../parts/seen.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { ActivityList } from './activity-list.tsx';

const LATEST = 5;

interface ActivityCardProps {
  /** The id of a campaign, a key, or a webhook. */
  subject: string;
  /** Changes with what the page shows of it, so that a saved change is listed at once. */
  version: string;
}

/** The latest changes of what the page is about. They are not loaded before the visitor comes to them. */
export default function ActivityCard({ subject, version }: ActivityCardProps) {
  const { place, isSeen } = useSeen();
  return (
    <section ref={place} class="card" aria-label="Activity">
      <div class="card-head">
        <h2>Activity</h2>
        <a href={`/activity?subject=${subject}`}>All activity</a>
      </div>
      {isSeen ? <Latest subject={subject} version={version} /> : <Skeleton of="activity" />}
    </section>
  );
}

function Latest({ subject, version }: ActivityCardProps) {
  const { ads } = useSession();
  const load = () => ads('GET /api/v1/activity', { query: { subject, limit: LATEST } });
  const { value, problem } = useLive(load, [ads, subject, version], null);
  return (
    <>
      <Problem text={problem} />
      {!value && !problem && <Skeleton of="activity" />}
      {value?.entries.length === 0 && <p class="notice">Nothing has changed in the last 90 days.</p>}
      {value && <ActivityList entries={value.entries} isOfPage />}
    </>
  );
}
