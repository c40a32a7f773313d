import { useState } from 'preact/hooks';
import { useAct, useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { label } from '../words.ts';
import type { DeliveryBody } from './data.ts';

const EVERY_MS = 5_000;
const FILTERS = ['all', 'failed', 'pending', 'delivered'] as const;

/** The last deliveries of a webhook, newest first. */
export function Deliveries({ id }: { id: string }) {
  const { ads } = useSession();
  const { value, problem, again } = useLive(
    () => ads('GET /api/v1/webhooks/{id}/deliveries', { params: { id } }),
    [ads, id],
    EVERY_MS,
  );
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>('all');
  const shown = value?.filter(({ status }) => filter === 'all' || status === filter);
  return (
    <section class="card" aria-label="Deliveries">
      <div class="card-head">
        <h2>Deliveries</h2>
        <fieldset class="choice" aria-label="State of deliveries">
          {FILTERS.map((name) => (
            <button key={name} type="button" aria-pressed={filter === name} onClick={() => setFilter(name)}>
              {label(name)}
            </button>
          ))}
        </fieldset>
      </div>
      <Problem text={problem} />
      {!value && <Skeleton of="deliveries" />}
      {shown?.length === 0 && <p class="notice">{filter === 'all' ? 'Nothing was sent yet.' : 'There are none.'}</p>}
      <ul class="deliveries">
        {shown?.map((delivery) => (
          <Delivery key={delivery.id} webhookId={id} delivery={delivery} again={again} />
        ))}
      </ul>
    </section>
  );
}

interface DeliveryProps {
  webhookId: string;
  delivery: DeliveryBody;
  again(): Promise<void>;
}

function Delivery({ webhookId, delivery, again }: DeliveryProps) {
  const { ads } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { isBusy, problem, act } = useAct();
  const { id, type, status, attempts, eventId } = delivery;
  const last = attempts.at(-1);
  const resend = () =>
    act(async () => {
      const params = { id: webhookId, deliveryId: id };
      await ads('POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params });
      await again();
    });
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <StatusBadge of={status} />
          <code>{type}</code>
          {last && <Time at={last.time} withSeconds />}
        </summary>
        {isOpen && (
          <div class="delivery">
            <ol>
              {attempts.map((attempt) => (
                <Attempt key={attempt.time} attempt={attempt} />
              ))}
            </ol>
            <small>
              Event <code>{eventId}</code>
            </small>
            <Problem text={problem} />
            {status !== 'pending' && (
              <button type="button" class="small" disabled={isBusy} onClick={resend}>
                Send again
              </button>
            )}
          </div>
        )}
      </details>
    </li>
  );
}

const Attempt = ({
  attempt: { time, statusCode, durationMs, error },
}: {
  attempt: DeliveryBody['attempts'][number];
}) => (
  <li>
    <Time at={time} withSeconds /> · {statusCode === null ? 'no answer' : `answered ${statusCode}`} after {durationMs}{' '}
    ms
    {error && <small class="fault">{error}</small>}
  </li>
);
