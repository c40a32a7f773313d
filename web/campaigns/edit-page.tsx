import { useRoute } from 'preact-iso/router';
import { useWasDeleted } from '../deletions/deletions.ts';
import { lazyPart } from '../parts/deferred.tsx';
import { type Live, useLive } from '../parts/live.ts';
import { Missing } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import { FormSkeleton } from './form-skeleton.tsx';

const EditForm = lazyPart(() => import('./edit-form.tsx'), <FormSkeleton />);

export default function EditCampaignPage() {
  const { id = '' } = useRoute().params;
  return <Loaded key={id} id={id} />;
}

function Loaded({ id }: { id: string }) {
  const { value: campaign, problem, isMissing } = useCampaign(id);
  if (isMissing && !campaign) return <Missing what="campaign" all="Campaigns" back="/campaigns" />;
  return (
    <Page
      title={campaign ? `Edit ${campaign.name}` : 'Edit campaign'}
      isLoading={!campaign}
      above={{ href: `/campaigns/${id}`, name: campaign?.name ?? 'Campaign' }}
    >
      {isMissing && <Problem text="This campaign was deleted. Your changes cannot be saved." />}
      {campaign ? (
        <EditForm campaign={campaign} />
      ) : (
        <>
          <Problem text={problem} />
          <FormSkeleton />
        </>
      )}
    </Page>
  );
}

function useCampaign(id: string): Live<CampaignBody> {
  const { ads, deletions } = useSession();
  const live = useLive(() => ads('GET /api/v1/campaigns/{id}', { params: { id } }), [ads, id]);
  const wasDeleted = useWasDeleted(deletions, id, live.again);
  return { ...live, isMissing: live.isMissing || wasDeleted };
}
