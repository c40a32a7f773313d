import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Client } from '../../packages/client/src/index.ts';
import { getChanges } from '../changes.ts';
import type { Deletable } from '../deletions/deletable.ts';
import { useWasDeleted } from '../deletions/deletions.ts';
import { lazyPart } from '../parts/deferred.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { useAct, useLive } from '../parts/live.ts';
import { Missing } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { getWebhookState, type WebhookBody } from './data.ts';
import { Deliveries } from './deliveries.tsx';
import { EVENT_NAMES } from './events.ts';
import { LastDelivery } from './last-delivery.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { Test } from './test-delivery.tsx';
import { WebhookForm, type WebhookValues } from './webhook-form.tsx';

const ActivityCard = lazyPart(() => import('../activity/activity-card.tsx'), null);

const ALL = { href: '/webhooks', name: 'Webhooks' };

/** A webhook: its settings, its health, and its deliveries. */
export default function WebhookPage() {
  const { id = '' } = useRoute().params;
  return <Loaded key={id} id={id} />;
}

function Loaded({ id }: { id: string }) {
  const { ads, deletions } = useSession();
  const query = { deliveries: 'true' } as const;
  const live = useLive(() => ads('GET /api/v1/webhooks/{id}', { params: { id }, query }), [ads, id]);
  const wasDeleted = useWasDeleted(deletions, id, live.again);
  if (live.isMissing || wasDeleted) return <Missing what="webhook" all="Webhooks" back="/webhooks" />;
  if (live.value) return <Known webhook={live.value} again={live.again} onSaved={live.merge} />;
  return (
    <Page title="Webhook" isLoading buttons={5} above={ALL}>
      <Problem text={live.problem} />
      <section class="card">
        <Skeleton of="the webhook" />
      </section>
      <Skeleton of="deliveries" as="rows" lines={5} />
    </Page>
  );
}

type Asked = 'edit' | 'rotate' | null;

interface KnownProps {
  webhook: WebhookBody;
  again(): Promise<void>;
  onSaved(saved: WebhookBody): void;
}

function Known({ webhook, again, onSaved }: KnownProps) {
  const { id, url, status, deliveries } = webhook;
  const { ads, toasts } = useSession();
  const [asked, ask] = useState<Asked>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [revokeOld, setRevokeOld] = useState(false);
  const { isBusy, problem, act } = useAct();
  const params = { id };
  const close = () => ask(null);
  const change = async (body: Partial<WebhookValues> & { status?: WebhookBody['status'] }) => {
    onSaved(await ads('PATCH /api/v1/webhooks/{id}', { params, body }));
    close();
  };
  const save = async (changes: Partial<WebhookValues>) => {
    const isUnchanged = Object.keys(changes).length === 0;
    if (isUnchanged) close();
    else await change(changes);
    toasts.show(isUnchanged ? 'Nothing to save' : 'Changes saved');
  };
  const turn = (next: 'active' | 'disabled') =>
    act(async () => {
      await change({ status: next });
      toasts.show(next === 'active' ? 'Webhook turned on' : 'Webhook turned off');
    });
  const rotate = () =>
    act(async () => {
      setSecret((await ads('POST /api/v1/webhooks/{id}/rotate-secret', { params, body: { revokeOld } })).secret);
      close();
      toasts.show('Secret rotated');
    });
  return (
    <Page
      title={url}
      above={ALL}
      badge={
        <>
          <StatusBadge of={getWebhookState(webhook)} />
          <LastDelivery webhook={webhook} />
        </>
      }
      actions={
        <>
          <Actions status={status} isBusy={isBusy} onAsk={ask} onChange={turn} />
          <DeleteButton thing={toDeletable(ads, webhook)} list={ALL.href} />
        </>
      }
    >
      <Problem text={asked ? null : problem} />
      {secret && <SigningSecret text={secret} onDone={() => setSecret(null)} />}
      {asked === 'edit' && <Edit webhook={webhook} onSave={save} onCancel={close} />}
      <Health webhook={webhook} />
      <Test webhook={webhook} onSent={again} />
      <Deliveries id={id} deliveries={deliveries} isOff={status === 'disabled'} again={again} />
      <ActivityCard subject={id} version={webhook.updatedAt} />
      {asked === 'rotate' && (
        <Confirm
          title="Rotate the secret?"
          deed="Rotate secret"
          isBusy={isBusy}
          problem={problem}
          onConfirm={rotate}
          onClose={close}
        >
          <p>
            Events are signed with the new secret immediately. The old secret also signs for 24 hours, to give you time
            to switch.
          </p>
          <div class="checks">
            <label>
              <input type="checkbox" checked={revokeOld} onChange={() => setRevokeOld(!revokeOld)} />
              <span>
                Revoke all earlier secrets now
                <small>Do this if someone else may know one.</small>
              </span>
            </label>
          </div>
        </Confirm>
      )}
    </Page>
  );
}

interface EditProps {
  webhook: WebhookBody;
  onSave(changes: Partial<WebhookValues>): Promise<void>;
  onCancel(): void;
}

/** Later changes of the webhook do not change the typed values, and saving does not undo them. */
function Edit({ webhook: { url, events, description }, onSave, onCancel }: EditProps) {
  const [loaded] = useState({ url, events, description });
  return (
    <WebhookForm
      start={loaded}
      deed="Save"
      onSave={(wanted) => onSave(getChanges(loaded, wanted))}
      onCancel={onCancel}
    />
  );
}

interface ActionsProps {
  status: WebhookBody['status'];
  isBusy: boolean;
  onAsk(what: Asked): void;
  onChange(next: 'active' | 'disabled'): void;
}

const Actions = ({ status, isBusy, onAsk, onChange }: ActionsProps) => (
  <>
    <button type="button" onClick={() => onAsk('edit')}>
      Edit
    </button>
    <button type="button" onClick={() => onAsk('rotate')}>
      Rotate secret
    </button>
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={() => onChange(status === 'disabled' ? 'active' : 'disabled')}
    >
      {status === 'disabled' ? 'Turn on' : 'Turn off'}
    </button>
  </>
);

const HEALTH: Readonly<Record<WebhookBody['status'], string>> = {
  active: 'Events are sent to this URL',
  failed: 'The last event did not arrive',
  disabled: 'No events are sent while this webhook is off',
};

const Health = ({ webhook: { status, lastError, createdAt, events, description } }: { webhook: WebhookBody }) => (
  <section class="card" aria-label="Health">
    <h2>{HEALTH[status]}</h2>
    <p>
      {status === 'failed' && 'New events are still sent. The first one that arrives makes the webhook live again. '}
      {status === 'failed' && lastError && `Last error: ${lastError}. `}
      Added <Time at={createdAt} />.
    </p>
    {description && <p dir="auto">{description}</p>}
    <ul class="words" aria-label="Events">
      {events.map((type) => (
        <li key={type}>
          {EVENT_NAMES[type]} <code>{type}</code>
        </li>
      ))}
    </ul>
  </section>
);

function toDeletable(ads: Client, { id, url }: WebhookBody): Deletable {
  const params = { id };
  const once = { retries: 0 };
  const set = (status: WebhookBody['status']) => ads('PATCH /api/v1/webhooks/{id}', { params, body: { status } }, once);
  return {
    id,
    // The rest of the URL may contain secrets.
    name: new URL(url).host,
    stopped: 'turned off',
    effect: 'It gets no more events.',
    async stop() {
      const { status } = await ads('GET /api/v1/webhooks/{id}', { params }, once);
      if (status === 'disabled') return null;
      await set('disabled');
      return async () => {
        await set('active'); // the API ignores `failed`
        return 'Events in the meantime were not sent.';
      };
    },
    remove: () => ads('DELETE /api/v1/webhooks/{id}', { params }, once),
  };
}
