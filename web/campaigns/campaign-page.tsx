import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Client } from '../../packages/client/src/index.ts';
import type { Deletable } from '../deletions/deletable.ts';
import { useWasDeleted } from '../deletions/deletions.ts';
import { useReported } from '../figures/report.ts';
import { lazyPart } from '../parts/deferred.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Missing } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { useSession } from '../session.ts';
import { AdPreview } from './ad-preview.tsx';
import type { CampaignBody } from './bodies.ts';
import { CampaignBreakdown } from './breakdown.tsx';
import { CampaignFigures, type ReportDayBody } from './figures.tsx';
import { Pace } from './pace.tsx';
import { ServingState } from './serving.tsx';
import { CampaignSettings } from './settings.tsx';
import { getState, whyNotServing } from './state.ts';
import { TopUp } from './top-up.tsx';

const ActivityCard = lazyPart(() => import('../activity/activity-card.tsx'), null);
const TryOut = lazyPart(
  () => import('./try-out.tsx'),
  <section class="card">
    <Skeleton of="conversations" lines={4} />
  </section>,
);

const Conversions = lazyPart(
  () => import('./conversions.tsx'),
  <section class="card">
    <Skeleton of="the conversions" lines={12} />
  </section>,
);

const Won = lazyPart(
  () => import('./won.tsx'),
  <section class="card">
    <Skeleton of="what won" as="rows" lines={6} />
  </section>,
);

/** Opens the dialog that adds budget. */
const ADD_BUDGET = '#add-budget';
const ALL = { href: '/campaigns', name: 'Campaigns' };

/** A campaign: its serving state, figures, and settings. */
export default function CampaignPage() {
  const { id = '' } = useRoute().params;
  return <Loaded key={id} id={id} />;
}

function Loaded({ id }: { id: string }) {
  const { ads, deletions } = useSession();
  const { value, ...live } = useReported(id, (query) => ads('GET /api/v1/campaigns/{id}', { params: { id }, query }));
  const wasDeleted = useWasDeleted(deletions, id, live.again);
  if (live.isMissing || wasDeleted) return <Missing what="campaign" all="Campaigns" back="/campaigns" />;
  if (value) return <Known campaign={value} onSaved={live.merge} {...live} />;
  return (
    <Page title="Campaign" isLoading above={ALL} buttons={4}>
      <div class="columns">
        <div>
          <section class="card">
            <Skeleton of="the campaign" />
          </section>
          <CampaignFigures id={id} campaign={null} days={null} problem={live.problem} />
        </div>
        <section class="card">
          <Skeleton of="the budget" as="facts" />
        </section>
      </div>
    </Page>
  );
}

interface KnownProps {
  campaign: CampaignBody;
  days: readonly ReportDayBody[] | null;
  problem: string | null;
  again(): Promise<void>;
  onSaved(saved: Partial<CampaignBody>): void;
}

function Known({ campaign, days, problem, again, onSaved }: KnownProps) {
  const { ads } = useSession();
  // The start page links to the dialog.
  const [isToppingUp, setToppingUp] = useState(location.hash === ADD_BUDGET);
  const { id, name, creative } = campaign;
  const topUp = () => setToppingUp(true);
  const endTopUp = () => {
    setToppingUp(false);
    if (location.hash === ADD_BUDGET) history.replaceState(null, '', location.pathname + location.search);
  };
  return (
    <Page
      title={name}
      above={ALL}
      badge={<StatusBadge of={getState(campaign)} />}
      actions={
        <>
          <button type="button" onClick={topUp}>
            Add budget
          </button>
          <a class="button" href={`/campaigns/${id}/edit`}>
            Edit
          </a>
          <a class="button" href={`/campaigns/new?from=${id}`}>
            Duplicate
          </a>
          <DeleteButton thing={toDeletable(ads, campaign)} list={ALL.href} />
        </>
      }
    >
      <div class="columns">
        <div class="main-column">
          <ServingState campaign={campaign} onSaved={onSaved} onTopUp={topUp} />
          <CampaignFigures id={id} campaign={campaign} days={days} problem={problem} />
          <CampaignBreakdown campaign={campaign} days={days} onSaved={onSaved} />
          <Won campaign={campaign} onSaved={onSaved} />
          <TryOut campaign={campaign} onSaved={onSaved} />
          <Conversions campaign={campaign} onSaved={onSaved} />
        </div>
        <div class="side-column">
          <Pace campaign={campaign} days={days} />
          <section class="card" aria-label="Ad">
            <h2>Ad</h2>
            <AdPreview creative={creative} />
          </section>
          <CampaignSettings campaign={campaign} />
          <ActivityCard subject={id} version={campaign.updatedAt} />
        </div>
      </div>
      {isToppingUp && <TopUp campaign={campaign} onSaved={onSaved} onFailed={again} onClose={endTopUp} />}
    </Page>
  );
}

/** A campaign that is paused for its budget would resume by itself, so it is stopped as well. */
function toDeletable(ads: Client, { id, name }: CampaignBody): Deletable {
  const params = { id };
  const once = { retries: 0 };
  const set = (status: 'active' | 'paused') => ads('PATCH /api/v1/campaigns/{id}', { params, body: { status } }, once);
  return {
    id,
    name,
    stopped: 'paused',
    async stop() {
      // The page may show an old status.
      const { status, pausedReason } = await ads('GET /api/v1/campaigns/{id}', { params }, once);
      const isInUse = status === 'active' || (status === 'paused' && pausedReason !== 'user');
      if (!isInUse) return null;
      await set('paused');
      // The service pauses it again if its budget is spent, and completes it if its end has passed.
      return async () => whyNotServing(await set('active'));
    },
    remove: () => ads('DELETE /api/v1/campaigns/{id}', { params }, once),
  };
}
