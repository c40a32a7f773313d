import { useRoute } from 'preact-iso';
import { Deferred, lazyPart } from '../parts/deferred.tsx';
import { Missing } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useCampaign } from './data.ts';

const EditForm = lazyPart(() => import('./edit-form.tsx'));

export default function EditCampaignPage() {
  const { id = '' } = useRoute().params;
  return <Loaded key={id} id={id} />;
}

function Loaded({ id }: { id: string }) {
  const { value: campaign, problem, isMissing } = useCampaign(id);
  if (isMissing && !campaign) return <Missing what="campaign" all="Campaigns" back="/campaigns" />;
  return (
    <Page
      title={campaign ? `Edit ${campaign.name}` : 'Edit a campaign'}
      above={{ href: `/campaigns/${id}`, name: campaign?.name ?? 'Campaign' }}
    >
      {isMissing && <Problem text="This campaign was deleted. Your changes cannot be saved." />}
      {campaign ? (
        <Deferred>
          <EditForm campaign={campaign} />
        </Deferred>
      ) : (
        <>
          <Problem text={problem} />
          <Skeleton of="the campaign" lines={8} />
        </>
      )}
    </Page>
  );
}
