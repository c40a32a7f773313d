import { Problem } from '../parts/problem.tsx';
import type { Session } from '../session.ts';
import { type DeliveryBody, useDeliveries } from './data.ts';

const SHOWN = 10;
const clockTime = (time: string): string => time.slice(11, 19);

/** The last deliveries of a webhook, each with every attempt that was made. */
export function Deliveries({ session, id }: { session: Session; id: string }) {
  const { value: deliveries, problem } = useDeliveries(session, id);
  return (
    <>
      <Problem text={problem} />
      {deliveries?.length === 0 && <p class="notice">Nothing was sent yet.</p>}
      <ul class="deliveries">
        {deliveries?.slice(0, SHOWN).map((delivery) => (
          <li key={delivery.id}>
            <code>{delivery.type}</code> <span class={`status ${delivery.status}`}>{delivery.status}</span>
            <ol>
              {delivery.attempts.map((attempt) => (
                <Attempt key={attempt.time} attempt={attempt} />
              ))}
            </ol>
          </li>
        ))}
      </ul>
    </>
  );
}

const Attempt = ({ attempt }: { attempt: DeliveryBody['attempts'][number] }) => (
  <li>
    <time dateTime={attempt.time}>{clockTime(attempt.time)}</time> {attempt.statusCode ?? 'no answer'},{' '}
    {attempt.durationMs} ms
    {attempt.error && <small> {attempt.error}</small>}
  </li>
);
