import { useState } from 'preact/hooks';
import { useAct, useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import type { DeliveryBody, WholeDeliveryBody } from './data.ts';

interface DeliveryProps {
  webhookId: string;
  delivery: DeliveryBody;
  /** Whether the webhook is disabled: then nothing is sent again. */
  isOff: boolean;
  again(): Promise<void>;
}

/** A delivery in the list; what went over the wire is asked for when it is opened. */
export function DeliveryItem({ delivery, ...more }: DeliveryProps) {
  const [isOpen, setOpen] = useState(false);
  const { type, status, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <StatusBadge of={status} />
          <code>{type}</code>
          {last && <Time at={last.time} withSeconds isInside />}
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
    null, // the list above tells of each attempt: asked again by themselves, many that are open would be refused for their rate
  );
  const resend = () =>
    act(async () => {
      await ads('POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params });
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
    <h3>Payload</h3>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too */}
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

/** What came of a request, once: a fault tells the status too. */
export const AttemptOutcome = ({
  of: { error, statusCode, durationMs },
}: {
  of: Omit<AttemptBody, 'time' | 'answer'>;
}) => (
  <span class={error ? 'fault' : undefined}>
    {error ?? `The receiver responded with ${statusCode}`}, after {durationMs} ms
  </span>
);

/** What a receiver said, which is somebody else's text. */
export const ReceiverAnswer = ({ text }: { text: string | null }) =>
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too
  text === null ? null : <pre tabIndex={0}>{text}</pre>;
