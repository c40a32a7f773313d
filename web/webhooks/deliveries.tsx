import { useEffect, useRef, useState } from 'preact/hooks';
import { counted, label } from '../format.ts';
import { useAct, useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { DeliveryItem } from './delivery.tsx';

const EVERY_MS = 5_000;
/** The maximum number that the service lists. */
const MAX_LISTED = 100;
const FILTERS = ['all', 'failed', 'pending', 'delivered'] as const;

/** Sends all failed deliveries again, a hundred per request. If a request is rejected, the next click continues there. */
function useResend(id: string) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [said, say] = useState('');
  const [left, leave] = useState<{ before?: string; count: number }>({ count: 0 });
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const resend = () =>
    act(async () => {
      let { before, count } = left;
      do {
        const { redelivered, next } = await ads('POST /api/v1/webhooks/{id}/redeliver-failed', {
          params: { id },
          query: { before },
        });
        count += redelivered;
        before = next ?? undefined;
        leave(before ? { before, count } : { count: 0 });
        say(`${counted(count, 'failed delivery', 'failed deliveries')} sent again${before ? ' so far…' : '.'}`);
      } while (before && !isGone.current);
    });
  return { isBusy, problem, said, resend, isBegun: left.before !== undefined };
}

interface DeliveriesProps {
  id: string;
  /** How many tests were sent here. Another one reloads the list. */
  tests: number;
  /** Nothing can be sent again while the webhook is off. */
  isOff: boolean;
}

/** The webhook's last deliveries, newest first. */
export function Deliveries({ id, tests, isOff }: DeliveriesProps) {
  const { ads } = useSession();
  const { value, problem, again } = useLive(
    () => ads('GET /api/v1/webhooks/{id}/deliveries', { params: { id } }),
    [ads, id, tests],
    EVERY_MS,
  );
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>('all');
  const { isBusy, problem: refusal, said, resend, isBegun } = useResend(id);
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
        {/* Also where none of those listed failed: older ones may have. */}
        {value && value.length > 0 && !isOff && (
          <button type="button" class="small" aria-disabled={isBusy} onClick={() => resend().then(again)}>
            {isBegun && !isBusy ? 'Send the rest again' : 'Send all failed again'}
          </button>
        )}
      </div>
      <Problem text={problem ?? refusal} />
      <p role="status" class="notice">
        {isOff && value && value.length > 0 ? 'This webhook is off. Turn it on to send these again.' : said}
      </p>
      {!value && <Skeleton of="deliveries" />}
      {shown?.length === 0 && <p class="notice">{filter === 'all' ? 'Nothing sent yet.' : 'No deliveries.'}</p>}
      {value && value.filter(({ isTest }) => !isTest).length >= MAX_LISTED && (
        <small>The last {MAX_LISTED} are listed, and the last tests.</small>
      )}
      <ul class="deliveries">
        {shown?.map((delivery) => (
          <DeliveryItem key={delivery.id} webhookId={id} delivery={delivery} isOff={isOff} again={again} />
        ))}
      </ul>
    </section>
  );
}
