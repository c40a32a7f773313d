import { useIdempotency } from '../parts/idempotency.ts';
import { useSession } from '../session.ts';
import { ALL_EVENTS, WebhookForm, type WebhookValues } from './webhook-form.tsx';

interface NewWebhookProps {
  onMade(secret: string): Promise<void>;
  onCancel(): void;
}

/** A webhook to be registered. */
export function NewWebhook({ onMade, onCancel }: NewWebhookProps) {
  const { ads } = useSession();
  const keyFor = useIdempotency();
  const register = async (body: WebhookValues) => {
    const { id, secret } = await ads('POST /api/v1/webhooks', { body }, { idempotencyKey: keyFor(body) });
    // Repeated after a lost answer, it is answered without the secret, which nobody has: it gets another.
    await onMade(secret ?? (await ads('POST /api/v1/webhooks/{id}/rotate-secret', { params: { id } })).secret);
  };
  return <WebhookForm start={ALL_EVENTS} deed="Register" onSave={register} onCancel={onCancel} />;
}
