import { useLocation } from 'preact-iso/router';
import { lazyPart } from '../parts/deferred.tsx';
import { useIdempotency } from '../parts/idempotency.ts';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { confirmStart } from './confirm.ts';
import { FormSkeleton } from './form-skeleton.tsx';
import { LAUNCH } from './state.ts';

const NewForm = lazyPart(() => import('./new-form.tsx'), <FormSkeleton />);

/** A new campaign, empty or copied from another. */
export default function NewCampaignPage() {
  const { from } = useLocation().query;
  return (
    <Page title="New campaign" above={{ href: '/campaigns', name: 'Campaigns' }}>
      {from ? <Copy key={from} of={from} /> : <Form original={null} />}
    </Page>
  );
}

function Form({ original }: { original: CampaignBody | null }) {
  const { ads, toasts } = useSession();
  const keyFor = useIdempotency();
  const create = async (body: NewCampaign) => {
    const saved = await ads('POST /api/v1/campaigns', { body }, { idempotencyKey: keyFor(body) });
    if (body.status === 'draft') toasts.show('Draft saved');
    else confirmStart(toasts, saved, LAUNCH);
    return saved.id;
  };
  return <NewForm original={original} create={create} />;
}

/** Loads the original only once, so that later changes of it do not overwrite what is typed. */
function Copy({ of: id }: { of: string }) {
  const { ads } = useSession();
  const load = () => ads('GET /api/v1/campaigns/{id}', { params: { id } });
  const { value: original, isMissing, problem } = useLive(load, [id], null);
  if (original) return <Form original={original} />;
  if (!isMissing) {
    return (
      <>
        <Problem text={problem} />
        <FormSkeleton />
      </>
    );
  }
  return (
    <>
      <Problem text="The campaign you wanted to copy no longer exists. This one starts empty." />
      <Form original={null} />
    </>
  );
}
