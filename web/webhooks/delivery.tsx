import { useState } from 'preact/hooks';
import { useAct, useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { type DeliveryBody, TEST_TIMEOUT_MS, type WholeDeliveryBody } from './data.ts';
import { EVENT_NAMES } from './events.ts';

interface DeliveryProps {
  webhookId: string;
  delivery: DeliveryBody;
  /** Nothing can be sent again while the webhook is disabled. */
  isOff: boolean;
  again(): Promise<void>;
}

/** A delivery in the list. Its request and response are loaded when it is opened. */
export function DeliveryItem({ delivery, ...more }: DeliveryProps) {
  const [isOpen, setOpen] = useState(false);
  const { type, status, attempts, isTest } = delivery;
  // The list is in the order of the events, which are the order of their first attempts.
  const [first] = attempts;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <StatusBadge of={status} />
          {EVENT_NAMES[type]}
          <small>
            <code>{type}</code>
          </small>
          {isTest && <span class="tag">Test</span>}
          {attempts.length > 1 && <small>{attempts.length} attempts</small>}
          {first && <Time at={first.time} withSeconds isInside />}
        </summary>
        {isOpen && <Opened delivery={delivery} {...more} />}
      </details>
    </li>
  );
}

function Opened({ webhookId, delivery: { id, status, attempts }, isOff, again }: DeliveryProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const params = { id: webhookId, deliveryId: id };
  const whole = useLive(
    () => ads('GET /api/v1/webhooks/{id}/deliveries/{deliveryId}', { params }),
    [ads, webhookId, id, attempts.length, status],
    null, // no polling: the list already updates, and many open deliveries would exceed the rate limit
  );
  const resend = () =>
    act(async () => {
      await ads(
        'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
        { params },
        { timeoutMs: TEST_TIMEOUT_MS },
      );
      await again();
    });
  return (
    <div class="delivery">
      <Problem text={problem ?? whole.problem} />
      {whole.value ? <OverTheWire delivery={whole.value} /> : <Skeleton of="the delivery" />}
      {status !== 'pending' && !isOff && (
        <button type="button" class="small" aria-disabled={isBusy} onClick={resend}>
          Send again
        </button>
      )}
    </div>
  );
}

const OverTheWire = ({ delivery: { attempts, payload } }: { delivery: WholeDeliveryBody }) => (
  <>
    <ol>
      {attempts.map((attempt) => (
        <DeliveryAttempt key={attempt.time} attempt={attempt} />
      ))}
    </ol>
    <Payload of={payload} />
  </>
);

/** The body of the request. */
export const Payload = ({ of: payload }: { of: object }) => (
  <>
    <h3>Payload</h3>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
    <pre tabIndex={0}>{JSON.stringify(payload, null, 2)}</pre>
  </>
);

type AttemptBody = WholeDeliveryBody['attempts'][number];

const DeliveryAttempt = ({ attempt }: { attempt: AttemptBody }) => (
  <li>
    <Time at={attempt.time} withSeconds /> · <AttemptOutcome of={attempt} />
    <ReceiverAnswer text={attempt.answer} />
  </li>
);

/** The result of an attempt. An error text already includes the status. */
export const AttemptOutcome = ({
  of: { error, statusCode, durationMs },
}: {
  of: Omit<AttemptBody, 'time' | 'answer'>;
}) => (
  <span class={error ? 'fault' : undefined}>
    {error ?? `The receiver responded with ${statusCode}`}, after {durationMs} ms
  </span>
);

/** The receiver's response, which is untrusted text. */
export const ReceiverAnswer = ({ text }: { text: string | null }) =>
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
  text === null ? null : <pre tabIndex={0}>{text}</pre>;
