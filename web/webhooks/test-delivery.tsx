import { useState } from 'preact/hooks';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { TestBody } from './data.ts';
import { AttemptOutcome, ReceiverAnswer } from './delivery.tsx';

/** Sends a sample event and shows the receiver's response. */
export function useTest(id: string) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [result, setResult] = useState<TestBody | null>(null);
  const send = () =>
    act(async () => {
      setResult(null);
      setResult(await ads('POST /api/v1/webhooks/{id}/test', { params: { id }, body: {} }, { timeoutMs: 15_000 }));
    });
  return { isBusy, problem, result, send };
}

/** The receiver's response to the sample. */
export const TestResult = ({ isBusy, problem, result }: Omit<ReturnType<typeof useTest>, 'send'>) => (
  <div role="status">
    <Problem text={problem} />
    {isBusy && <p class="notice">Sending the test…</p>}
    {result && (
      <section class={result.success ? 'card good' : 'card bad'} aria-label="Test">
        <h2>{result.success ? 'The test arrived' : 'The test did not arrive'}</h2>
        <p>
          <AttemptOutcome of={result} />.
        </p>
        <ReceiverAnswer text={result.answer} />
      </section>
    )}
  </div>
);
