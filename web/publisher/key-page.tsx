import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Confirm } from '../parts/dialog.tsx';
import { useAct } from '../parts/live.ts';
import { Missing } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { formatCount, formatUsd } from '../words.ts';
import { type KeyBody, useKeys } from './data.ts';
import { KeySettingsForm } from './key-settings.tsx';
import { Snippet } from './snippet.tsx';

const ALL = { href: '/publisher', name: 'Publisher' };

/** A key: how it is used, set, and replaced. */
export default function KeyPage() {
  const { id = '' } = useRoute().params;
  const { value: keys, again } = useKeys();
  if (!keys) {
    return (
      <Page title="API key" above={ALL}>
        <Skeleton of="the key" lines={6} />
      </Page>
    );
  }
  const key = keys.find((one) => one.id === id);
  return key ? <Known apiKey={key} again={again} /> : <Missing what="key" all="Publisher" back="/publisher" />;
}

function Known({ apiKey, again }: { apiKey: KeyBody; again(): Promise<void> }) {
  const { id, name, isActive } = apiKey;
  const { ads } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const { isBusy, problem, act } = useAct();
  const toggle = () =>
    act(async () => {
      await ads('PATCH /api/v1/auth/api-keys/{id}/toggle', { params: { id } });
      await again();
    });
  return (
    <Page
      title={name}
      above={ALL}
      beside={<StatusBadge of={isActive ? 'active' : 'disabled'} says={isActive ? 'On' : 'Off'} />}
      actions={
        <>
          <button type="button" disabled={isBusy} onClick={toggle}>
            {isActive ? 'Switch off' : 'Switch on'}
          </button>
          <button type="button" class="danger quiet" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </>
      }
    >
      <Problem text={problem} />
      <div class="columns">
        <div class="main-column">
          <KeySettingsForm apiKey={apiKey} onDone={again} />
          <Snippet />
        </div>
        <div class="side-column">
          <Facts apiKey={apiKey} />
        </div>
      </div>
      {isDeleting && <Delete apiKey={apiKey} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

const Facts = ({ apiKey: { key, mode, bidFloor, requestCount, createdAt, lastUsedAt } }: { apiKey: KeyBody }) => (
  <section class="card" aria-label="Key">
    <dl class="facts">
      <div>
        <dt>Key</dt>
        <dd>
          <code>{key}</code>
        </dd>
      </div>
      <div>
        <dt>Mode</dt>
        <dd>{mode === 'live' ? 'Live' : 'Test: nothing is spent or counted'}</dd>
      </div>
      <div>
        <dt>Lowest bid</dt>
        <dd>{bidFloor > 0 ? `${formatUsd(bidFloor, 3)} per 1,000` : 'Any'}</dd>
      </div>
      <div>
        <dt>Requests</dt>
        <dd>{formatCount(requestCount)}</dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </div>
      {lastUsedAt && (
        <div>
          <dt>Last used</dt>
          <dd>
            <Time at={lastUsedAt} />
          </dd>
        </div>
      )}
    </dl>
  </section>
);

function Delete({ apiKey: { id, name }, onClose }: { apiKey: KeyBody; onClose(): void }) {
  const { ads } = useSession();
  const { route } = useLocation();
  const { act, ...state } = useAct();
  const remove = async () => {
    if (await act(() => ads('DELETE /api/v1/auth/api-keys/{id}', { params: { id } }))) route('/publisher');
  };
  return (
    <Confirm title={`Delete ${name}?`} deed="Delete" {...state} onConfirm={remove} onClose={onClose}>
      <p>Whoever uses it is refused at once. This cannot be undone; switching it off can.</p>
    </Confirm>
  );
}
