import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';

const KEPT = 'chat-key';
export const keptKey = (): string | null => sessionStorage.getItem(KEPT);

/** The chat needs a publisher's key: a test key of the visitor's own, which spends nothing. */
export function ChatKey({ onMade }: { onMade(key: string): void }) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const make = () =>
    act(async () => {
      const { key } = await ads('POST /api/v1/auth/api-keys', { body: { name: 'Chat on this page', mode: 'test' } });
      sessionStorage.setItem(KEPT, key);
      onMade(key);
    });
  return (
    <section class="card empty" aria-label="Start">
      <h2>Try it as a publisher</h2>
      <p>The chat asks for ads with a test key of yours: they are real, and nothing is spent or counted.</p>
      <Problem text={problem} />
      <button type="button" class="primary" aria-disabled={isBusy} onClick={make}>
        Make a test key
      </button>
    </section>
  );
}
