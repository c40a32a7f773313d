import { useEffect, useRef, useState } from 'preact/hooks';
import { counted, label } from '../format.ts';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import type { DeliveryBody } from './data.ts';
import { DeliveryItem } from './delivery.tsx';

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
  /** Undefined if the previous version responds during a rollout. */
  deliveries: readonly DeliveryBody[] | undefined;
  /** Nothing can be sent again while the webhook is off. */
  isOff: boolean;
  again(): Promise<void>;
}

/** The webhook's last deliveries, newest first. */
export function Deliveries({ id, deliveries, isOff, again }: DeliveriesProps) {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>('all');
  const { isBusy, problem, said, resend, isBegun } = useResend(id);
  const shown = deliveries?.filter(({ status }) => filter === 'all' || status === filter);
  const events = deliveries?.filter(({ isTest }) => !isTest) ?? [];
  const isCut = events.length >= MAX_LISTED;
  const mayHaveFailed = isCut || events.some(({ status }) => status === 'failed');
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
        {mayHaveFailed && !isOff && (
          <button type="button" class="small" aria-disabled={isBusy} onClick={() => resend().then(again)}>
            {isBegun && !isBusy ? 'Send the rest again' : 'Send all failed again'}
          </button>
        )}
      </div>
      <Problem text={problem} />
      <p role="status" class="notice">
        {isOff && deliveries && deliveries.length > 0 ? 'This webhook is off. Turn it on to send these again.' : said}
      </p>
      {!deliveries && <Skeleton of="deliveries" />}
      {shown?.length === 0 && <p class="notice">{filter === 'all' ? 'Nothing sent yet.' : 'No deliveries.'}</p>}
      {isCut && <small>Showing the last {MAX_LISTED} deliveries and 20 tests.</small>}
      <ul class="deliveries">
        {shown?.map((delivery) => (
          <DeliveryItem key={delivery.id} webhookId={id} delivery={delivery} isOff={isOff} again={again} />
        ))}
      </ul>
    </section>
  );
}
