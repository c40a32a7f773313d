import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Client } from '../../packages/client/src/index.ts';
import type { Deletable } from '../deletions/deletable.ts';
import { useWasDeleted } from '../deletions/deletions.ts';
import { useReported } from '../figures/report.ts';
import { formatCount, formatUsd } from '../format.ts';
import { lazyPart } from '../parts/deferred.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { useAct } from '../parts/live.ts';
import { Missing } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { getKeyState, type KeyBody, type KeyDayBody } from './data.ts';
import { KeyBreakdown } from './key-breakdown.tsx';
import { KeyFigures } from './key-figures.tsx';
import { KeySecret } from './key-secret.tsx';
import { KeySettingsForm } from './key-settings.tsx';
import { Rotate } from './rotate.tsx';
import { RequestSnippet } from './snippet.tsx';
import { switchKey } from './switch.ts';

const ActivityCard = lazyPart(() => import('../activity/activity-card.tsx'), null);

const ALL = { href: '/publisher', name: 'Publisher' };

/** A key: code to use it, its figures and settings, and its rotation. */
export default function KeyPage() {
  const { id = '' } = useRoute().params;
  return <Loaded key={id} id={id} />;
}

function Loaded({ id }: { id: string }) {
  const { ads, deletions } = useSession();
  const { value, ...live } = useReported(id, (query) =>
    ads('GET /api/v1/auth/api-keys/{id}', { params: { id }, query }),
  );
  const wasDeleted = useWasDeleted(deletions, id, live.again);
  if (live.isMissing || wasDeleted) return <Missing what="key" all="Publisher" back="/publisher" />;
  if (value) return <Known apiKey={value} onSaved={live.merge} {...live} />;
  return (
    <Page title="API key" isLoading buttons={3} above={ALL}>
      <div class="columns">
        <div>
          <KeyFigures id={id} name={id} days={null} problem={live.problem} />
          <section class="card">
            <Skeleton of="the settings" as="fields" lines={4} />
          </section>
        </div>
        <section class="card">
          <Skeleton of="the key" as="facts" lines={6} />
        </section>
      </div>
    </Page>
  );
}

interface KnownProps {
  apiKey: KeyBody;
  days: readonly KeyDayBody[] | null;
  /** Why there are no current days. */
  problem: string | null;
  again(): Promise<void>;
  onSaved(saved: KeyBody): void;
}

function Known({ apiKey, days, problem: unread, again, onSaved }: KnownProps) {
  const { id, name, mode, isActive } = apiKey;
  // A test key has no figures. Before the first request, show only how to send one.
  const isUsed = mode === 'live' && apiKey.requestCount > 0;
  const { ads, toasts } = useSession();
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, problem, act } = useAct();
  const toggle = () =>
    act(async () => {
      onSaved((await switchKey(ads, id, !isActive)).key);
      toasts.show(isActive ? 'Key turned off' : 'Key turned on');
    });
  const snippet = (
    <RequestSnippet
      isFirst={apiKey.requestCount === 0 && apiKey.lastUsedAt === null}
      {...(secret && { apiKey: secret })}
    />
  );
  return (
    <Page
      title={name}
      above={ALL}
      badge={<StatusBadge of={getKeyState(apiKey)} />}
      actions={
        <>
          <button type="button" aria-disabled={isBusy} onClick={toggle}>
            {isActive ? 'Turn off' : 'Turn on'}
          </button>
          <button type="button" onClick={() => setRotating(true)}>
            Rotate secret
          </button>
          <DeleteButton thing={toDeletable(ads, apiKey)} list={ALL.href} />
        </>
      }
    >
      <Problem text={problem} />
      {mode === 'test' && (
        <p class="notice">
          This is a test key. It returns ads as a live key does, but nothing is charged, counted, or earned.{' '}
          {apiKey.lastUsedAt && (
            <>
              Your requests work: the last one came <Time at={apiKey.lastUsedAt} isRelative />.
            </>
          )}
        </p>
      )}
      {!isActive && (
        <p class="notice">This key is off: requests with it are answered with 401. Turn it on to use it.</p>
      )}
      {secret && <KeySecret text={secret} onDone={() => setSecret(null)} />}
      <div class="columns">
        <div class="main-column">
          {isUsed ? <KeyFigures id={id} name={name} days={days} problem={unread} /> : snippet}
          {isUsed && <KeyBreakdown id={id} name={name} days={days} />}
          <KeySettingsForm apiKey={apiKey} onSaved={onSaved} />
          {isUsed && snippet}
        </div>
        <div class="side-column">
          <Facts apiKey={apiKey} />
          <ActivityCard subject={id} version={getVersion(apiKey)} />
        </div>
      </div>
      {isRotating && <Rotate apiKey={apiKey} onRotated={setSecret} again={again} onClose={() => setRotating(false)} />}
    </Page>
  );
}

/** What a change of the key changes. Requests change the rest. */
const getVersion = ({ requestCount, lastUsedAt, figures, ...settings }: KeyBody): string => JSON.stringify(settings);

const Facts = ({
  // During a rollout, the previous version responds without `oldKeysUntil`.
  apiKey: { key, publicName, mode, bidFloor, requestCount, createdAt, lastUsedAt, oldKeysUntil = [] },
}: {
  apiKey: KeyBody;
}) => (
  <section class="card" aria-label="Key">
    <dl class="facts">
      <div>
        <dt>Key</dt>
        <dd>
          <code>{key}</code>
        </dd>
      </div>
      <div>
        <dt>Public name</dt>
        <dd>{publicName ? <bdi>{publicName}</bdi> : 'None: a pseudonym'}</dd>
      </div>
      <div>
        <dt>Mode</dt>
        <dd>{mode === 'live' ? 'Live' : 'Test: earns nothing'}</dd>
      </div>
      <div>
        <dt>Bid floor</dt>
        <dd>{bidFloor > 0 ? `${formatUsd(bidFloor, 3)} CPM` : 'None'}</dd>
      </div>
      <div>
        <dt>Calls</dt>
        <dd>
          {formatCount(requestCount)} <small>for bids and ads</small>
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </div>
      {oldKeysUntil.length > 0 && (
        <div>
          <dt>{oldKeysUntil.length === 1 ? 'Earlier secret works until' : 'Earlier secrets work until'}</dt>
          {oldKeysUntil.map((until) => (
            <dd key={until}>
              <Time at={until} />
            </dd>
          ))}
        </div>
      )}
      <div>
        <dt>Last used</dt>
        <dd>{lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}</dd>
      </div>
    </dl>
  </section>
);

function toDeletable(ads: Client, { id, name }: KeyBody): Deletable {
  return {
    id,
    name,
    stopped: 'turned off',
    effect: 'Requests with this key are rejected.',
    async stop() {
      const { before } = await switchKey(ads, id, false);
      if (!before.isActive) return null;
      return async () => {
        await switchKey(ads, id, true);
        return null;
      };
    },
    remove: () => ads('DELETE /api/v1/auth/api-keys/{id}', { params: { id } }, { retries: 0 }),
  };
}
