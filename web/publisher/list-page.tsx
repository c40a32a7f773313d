import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { DAYS, useKeyFigures } from './data.ts';
import { KeyList, KeyTotals } from './key-list.tsx';
import { KeySecret } from './key-secret.tsx';
import { NewKey } from './new-key.tsx';
import { RequestSnippet } from './snippet.tsx';

export default function KeysPage() {
  const { query, route } = useLocation();
  const { toasts } = useSession();
  const days = DAYS.find((choice) => String(choice) === query.days) ?? DAYS[0];
  const { value, problem, again } = useKeyFigures(days);
  const keys = value?.keys;
  const show = (choice: number) => route(`/publisher?days=${choice}`, true);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const made = async (key: string) => {
    setSecret(key);
    setAdding(false);
    toasts.show('Key created');
    await again();
  };
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Create key
    </button>
  );
  return (
    <Page title="Publisher" buttons={keys ? 0 : 1} actions={!isAdding && keys && keys.length > 0 && add}>
      <Problem text={problem} />
      {secret && (
        <>
          <KeySecret text={secret} onDone={() => setSecret(null)} />
          <RequestSnippet apiKey={secret} />
        </>
      )}
      {isAdding && <NewKey onMade={made} onCancel={() => setAdding(false)} />}
      {!keys && (
        <>
          <KeyTotals keys={null} days={days} problem={problem} onDays={show} />
          {!problem && <Skeleton of="keys" as="rows" lines={4} />}
        </>
      )}
      {keys?.length === 0 && !isAdding && (
        <section class="card empty" aria-label="Start">
          <h2>Earn from your chat</h2>
          <p>
            Create a key, paste a snippet into your chat’s server, and show an ad when one fits. It reads the
            conversation, not the person.
          </p>
          {add}
        </section>
      )}
      {value && value.keys.length > 0 && (
        // While new figures load, the label must still match the figures on screen.
        <KeyList keys={value.keys} days={value.days} onDays={show} />
      )}
    </Page>
  );
}
