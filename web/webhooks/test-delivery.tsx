import { useState } from 'preact/hooks';
import { EVENT_TYPES, type EventType } from '../../shared/webhooks/events/types.ts';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import { TEST_TIMEOUT_MS, type TestBody, type WebhookBody } from './data.ts';
import { AttemptOutcome, Payload, ReceiverAnswer } from './delivery.tsx';
import { EVENT_NAMES } from './events.ts';

interface TestProps {
  webhook: WebhookBody;
  onSent(): void;
}

/** Sends a sample event of any type, and shows what was sent and what the receiver responded. */
export function Test({ webhook: { id, events }, onSent }: TestProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [result, setResult] = useState<TestBody | null>(null);
  const [type, setType] = useState<EventType>(events[0]!);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    act(async () => {
      setResult(null);
      const request = { params: { id }, body: { type } };
      setResult(await ads('POST /api/v1/webhooks/{id}/test', request, { timeoutMs: TEST_TIMEOUT_MS }));
      onSent();
    });
  };
  return (
    <section class="card test" aria-label="Test">
      <h2>Send a test</h2>
      <p>
        Posts a signed sample event once. It appears in the deliveries below, and does not change the webhook’s status.
      </p>
      <form class="actions" onSubmit={send}>
        <select
          aria-label="Event"
          value={type}
          onChange={({ currentTarget }) => setType(EVENT_TYPES.find((one) => one === currentTarget.value) ?? type)}
        >
          {EVENT_TYPES.map((one) => (
            <option key={one} value={one}>
              {EVENT_NAMES[one]} ({one}){!events.includes(one) && ', not subscribed'}
            </option>
          ))}
        </select>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          Send test
        </button>
      </form>
      <Problem text={problem} />
      <p role="status" class="notice">
        {isBusy && 'Sending the test…'}
        {result && (
          <>
            {result.success ? 'The test was delivered. ' : 'The test failed. '}
            <AttemptOutcome of={result} />.
          </>
        )}
      </p>
      {result && <Sent result={result} />}
    </section>
  );
}

const Sent = ({ result: { answer, payload } }: { result: TestBody }) => (
  <div class="delivery">
    {answer !== null && (
      <>
        <h3>Response</h3>
        <ReceiverAnswer text={answer} />
      </>
    )}
    {/* During a rollout, the previous version responds without it. */}
    {payload && <Payload of={payload} />}
  </div>
);
