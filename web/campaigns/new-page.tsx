import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Deferred, loadedLater } from '../parts/deferred.tsx';
import { useIdempotency } from '../parts/idempotency.ts';
import { Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';

const NewForm = loadedLater(() => import('./new-form.tsx'));

/** A campaign that is not there yet, or one that begins as a copy of another. */
export default function NewCampaignPage() {
  const { ads } = useSession();
  const { from } = useLocation().query;
  const [original, setOriginal] = useState<CampaignBody | null>(null);
  const [isLoading, setLoading] = useState(Boolean(from));
  // One that went meanwhile cannot be copied: the form begins empty.
  useEffect(() => {
    if (!from) return;
    ads('GET /api/v1/campaigns/{id}', { params: { id: from } })
      .then(setOriginal, () => {})
      .finally(() => setLoading(false));
  }, [from]);
  const keyFor = useIdempotency();
  const create = async (body: NewCampaign) =>
    (await ads('POST /api/v1/campaigns', { body }, { idempotencyKey: keyFor(body) })).id;
  return (
    <Page title="New campaign" above={{ href: '/campaigns', name: 'Campaigns' }}>
      {isLoading ? (
        <Skeleton of="the campaign" lines={8} />
      ) : (
        <Deferred>
          <NewForm original={original} create={create} />
        </Deferred>
      )}
    </Page>
  );
}
