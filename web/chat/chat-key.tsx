import { useIdempotency } from '../parts/idempotency.ts';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { makeKey } from '../publisher/make-key.ts';
import { useSession } from '../session.ts';
import { keepKey } from './kept-key.ts';

const TEST_KEY = { name: 'Chat on this page', bidFloor: 0, mode: 'test' } as const;

interface ChatKeyProps {
  /** Whether the previous key was rejected because it was switched off, rotated, or deleted. */
  isRefused: boolean;
  onMade(key: string): void;
}

/** Creates the API key that the chat needs: the visitor's own test key, which spends nothing. */
export function ChatKey({ isRefused, onMade }: ChatKeyProps) {
  const { ads, visitor, toasts } = useSession();
  const { isBusy, problem, act } = useAct();
  const keyFor = useIdempotency();
  const make = () =>
    act(async () => {
      const key = await makeKey(ads, TEST_KEY, keyFor(TEST_KEY));
      keepKey(visitor.user, key);
      onMade(key);
      toasts.show('Test key created');
    });
  return (
    <section class="card empty" aria-label="Start">
      <h2>Try it as a publisher</h2>
      <p>The chat requests ads with your test key. The ads are real, but nothing is charged or counted.</p>
      <Problem
        text={problem ?? (isRefused ? 'The key of this chat no longer works. Create a new one to continue.' : null)}
      />
      <button type="button" class="primary" aria-disabled={isBusy} onClick={make}>
        Create a test key
      </button>
    </section>
  );
}
