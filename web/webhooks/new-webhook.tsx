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
    // A repeat after a lost response has no secret. Nobody knows it, so the webhook gets another one and the lost one ends.
    const another = () =>
      ads('POST /api/v1/webhooks/{id}/rotate-secret', { params: { id }, body: { revokeOld: true } });
    await onMade(secret ?? (await another()).secret);
  };
  return <WebhookForm start={ALL_EVENTS} deed="Register" onSave={register} onCancel={onCancel} />;
}
