import { useState } from 'preact/hooks';
import { EVENT_TYPES } from '../../shared/webhooks/events/types.ts';
import { useDeleted } from '../deletions/deletions.ts';
import { counted } from '../format.ts';
import { useIdempotency } from '../parts/idempotency.ts';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { useSession } from '../session.ts';
import { getWebhookState, type WebhookBody } from './data.ts';
import { LastDelivery } from './last-delivery.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { ALL_EVENTS, WebhookForm, type WebhookValues } from './webhook-form.tsx';

export default function WebhooksPage() {
  const { ads, deletions, toasts } = useSession();
  const { value, problem, again } = useLive(() => ads('GET /api/v1/webhooks'), [ads]);
  const isDeleted = useDeleted(deletions, again);
  const webhooks = value?.filter(({ id }) => !isDeleted(id));
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const made = async (signingSecret: string) => {
    setSecret(signingSecret);
    setAdding(false);
    toasts.show('Webhook added');
    await again();
  };
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Add webhook
    </button>
  );
  return (
    <Page title="Webhooks" buttons={webhooks ? 0 : 1} actions={!isAdding && webhooks && webhooks.length > 0 && add}>
      <Problem text={problem} />
      {secret && <SigningSecret text={secret} onDone={() => setSecret(null)} />}
      {isAdding && <NewWebhook onMade={made} onCancel={() => setAdding(false)} />}
      {!webhooks && !problem && <Skeleton of="webhooks" as="rows" lines={4} />}
      {webhooks?.length === 0 && !isAdding && (
        <section class="card empty" aria-label="Start">
          <h2>Get an event for every impression and click</h2>
          <p>
            Add a URL, and the service posts each signed event to it within seconds. It retries failed deliveries
            automatically, and you can send them again from here.
          </p>
          {add}
        </section>
      )}
      <ul class="cards">
        {webhooks?.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    </Page>
  );
}

interface NewWebhookProps {
  onMade(secret: string): Promise<void>;
  onCancel(): void;
}

function NewWebhook({ onMade, onCancel }: NewWebhookProps) {
  const { ads } = useSession();
  const keyFor = useIdempotency();
  const register = async (body: WebhookValues) => {
    const { id, secret } = await ads('POST /api/v1/webhooks', { body }, { idempotencyKey: keyFor(body) });
    // A repeat after a lost response has no secret. The lost secret is useless, so rotate it and revoke the old one.
    const another = () =>
      ads('POST /api/v1/webhooks/{id}/rotate-secret', { params: { id }, body: { revokeOld: true } });
    await onMade(secret ?? (await another()).secret);
  };
  return <WebhookForm start={ALL_EVENTS} deed="Add webhook" onSave={register} onCancel={onCancel} />;
}

const Row = ({ webhook }: { webhook: WebhookBody }) => {
  const { id, url, events, description } = webhook;
  return (
    <li class="card row-card">
      <div>
        <a class="strong" href={`/webhooks/${id}`}>
          {url}
        </a>
        <span class="badges">
          <StatusBadge of={getWebhookState(webhook)} />
          <LastDelivery webhook={webhook} isInside />
        </span>
        <small>
          {description && (
            <>
              <bdi>{description}</bdi> ·{' '}
            </>
          )}
          {events.length === EVENT_TYPES.length ? 'All events' : counted(events.length, 'event type')}
        </small>
      </div>
    </li>
  );
};
