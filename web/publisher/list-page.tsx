import { useState } from 'preact/hooks';
import { Secret } from '../parts/copy.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { counted, formatUsd } from '../words.ts';
import { type KeyBody, useKeys } from './data.ts';
import { NewKey } from './new-key.tsx';
import { Snippet } from './snippet.tsx';

/** A publisher's keys, and what each is for. */
export default function KeysPage() {
  const { value: keys, problem, again } = useKeys();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const made = async (key: string) => {
    setSecret(key);
    setAdding(false);
    await again();
  };
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Create a key
    </button>
  );
  return (
    <Page title="Publisher" actions={!isAdding && keys && keys.length > 0 && add}>
      <Problem text={problem} />
      {secret && (
        <>
          <Secret text={secret} what="API key" onDone={() => setSecret(null)} />
          <Snippet apiKey={secret} />
        </>
      )}
      {isAdding && <NewKey onMade={made} onCancel={() => setAdding(false)} />}
      {!keys && <Skeleton of="keys" lines={4} />}
      {keys?.length === 0 && !isAdding && (
        <section class="card empty" aria-label="Start">
          <h2>Earn with what your chat talks about</h2>
          <p>
            Create a key, paste a snippet into your chat’s server, and show an ad where one fits. It reads the
            conversation, not the person.
          </p>
          {add}
        </section>
      )}
      <ul class="cards">
        {keys?.map((key) => (
          <Row key={key.id} apiKey={key} />
        ))}
      </ul>
    </Page>
  );
}

const Row = ({
  apiKey: { id, name, key, mode, bidFloor, isActive, requestCount, lastUsedAt },
}: {
  apiKey: KeyBody;
}) => (
  <li class="card row-card">
    <div>
      <a class="strong" dir="auto" href={`/publisher/${id}`}>
        {name}
      </a>
      <small>
        <code>{key}</code> · {bidFloor > 0 ? `from ${formatUsd(bidFloor, 3)} up` : 'any bid'} ·{' '}
        {counted(requestCount, 'request')}
        {lastUsedAt && (
          <>
            , last <Time at={lastUsedAt} />
          </>
        )}
      </small>
    </div>
    <StatusBadge
      of={isActive ? (mode === 'live' ? 'active' : 'test') : 'disabled'}
      says={isActive ? (mode === 'live' ? 'Live' : 'Test') : 'Off'}
    />
  </li>
);
