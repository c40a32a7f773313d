import { useState } from 'preact/hooks';
import { counted } from '../format.ts';
import { Secret } from '../parts/copy.tsx';
import { useIdempotency } from '../parts/idempotency.ts';
import { useLive } from '../parts/live.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { showToast } from '../parts/toasts.tsx';
import { useSession } from '../session.ts';
import { getWebhookState, type WebhookBody } from './data.ts';
import { ALL_EVENTS, WebhookForm, type WebhookValues } from './webhook-form.tsx';

export default function WebhooksPage() {
  const { ads } = useSession();
  const { value: webhooks, problem, again } = useLive(() => ads('GET /api/v1/webhooks'), [ads]);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const made = async (signingSecret: string) => {
    setSecret(signingSecret);
    setAdding(false);
    showToast('Webhook added');
    await again();
  };
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Add a webhook
    </button>
  );
  return (
    <Page title="Webhooks" actions={!isAdding && webhooks && webhooks.length > 0 && add}>
      <Problem text={problem} />
      {secret && <Secret text={secret} what="signing secret" onDone={() => setSecret(null)} />}
      {isAdding && <NewWebhook onMade={made} onCancel={() => setAdding(false)} />}
      {!webhooks && <Skeleton of="webhooks" lines={4} />}
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
  return <WebhookForm start={ALL_EVENTS} deed="Register" onSave={register} onCancel={onCancel} />;
}

const Row = ({ webhook }: { webhook: WebhookBody }) => {
  const { id, url, events, description, lastDeliveryAt, lastError } = webhook;
  return (
    <li class="card row-card">
      <div>
        <a class="strong" href={`/webhooks/${id}`}>
          {url}
        </a>
        <small>
          {description && `${description} · `}
          {counted(events.length, 'type')} of events ·{' '}
          {lastDeliveryAt ? (
            <>
              last sent <Time at={lastDeliveryAt} isInside />
            </>
          ) : (
            'nothing sent yet'
          )}
        </small>
        {lastError && <small class="fault">{lastError}</small>}
      </div>
      <StatusBadge of={getWebhookState(webhook)} />
    </li>
  );
};
