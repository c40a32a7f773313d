import { lazyPart } from '../parts/deferred.tsx';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { Attention } from './attention.tsx';
import { CampaignsOverview, type HomeBody, KeysOverview } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';

const latestLoads = (
  <section class="card">
    <Skeleton of="the latest activity" lines={6} />
  </section>
);
// The words for all fields are not needed before the figures.
const LatestActivity = lazyPart(() => import('./latest-activity.tsx'), latestLoads);

/** The sums of all campaigns and keys take more reads than a list. */
const EVERY_MS = 30_000;

/** How the account is doing, what it needs, and what changed last. */
export default function HomePage() {
  const { ads } = useSession();
  const { value, problem } = useLive(() => ads('GET /api/v1/home'), [ads], EVERY_MS);
  return (
    <Page title="Home">
      <Problem text={problem} />
      {value ? (
        <Known home={value} />
      ) : (
        <>
          <CampaignsOverview home={null} problem={problem} />
          {!problem && latestLoads}
        </>
      )}
    </Page>
  );
}

function Known({ home }: { home: HomeBody }) {
  const { counts, campaigns, keys, activity } = home;
  const hasCampaigns = counts.campaigns > 0 || campaigns.last30Days.impressions > 0;
  const hasKeys = counts.keys > 0 || keys.last30Days.impressions > 0;
  return (
    <>
      <Attention home={home} />
      {!hasCampaigns && !hasKeys && <FirstSteps />}
      {hasCampaigns && <CampaignsOverview home={home} problem={null} />}
      {hasKeys && <KeysOverview home={home} problem={null} />}
      {activity.length > 0 && <LatestActivity entries={activity} />}
    </>
  );
}
