import { useState } from 'preact/hooks';
import { useAct, useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { counted, label } from '../words.ts';
import { DeliveryItem } from './delivery.tsx';

const EVERY_MS = 5_000;
/** As many as the service lists. */
const MOST = 100;
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
  const { isBusy, problem: refusal, act } = useAct();
  const [said, say] = useState('');
  const resendFailed = () =>
    act(async () => {
      const { redelivered, remaining, more } = await ads('POST /api/v1/webhooks/{id}/redeliver-failed', {
        params: { id },
      });
      const rest = remaining > 0 || more ? ' There are more: send again when these are through.' : '';
      say(`${counted(redelivered, 'failed delivery', 'failed deliveries')} sent again.${rest}`);
      await again();
    });
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
        {value && value.length > 0 && (
          <button type="button" class="small" aria-disabled={isBusy} onClick={resendFailed}>
            Send all failed again
          </button>
        )}
      </div>
      <Problem text={problem ?? refusal} />
      <p role="status" class="notice">
        {said}
      </p>
      {!value && <Skeleton of="deliveries" />}
      {shown?.length === 0 && <p class="notice">{filter === 'all' ? 'Nothing was sent yet.' : 'There are none.'}</p>}
      {value && value.length >= MOST && <small>The last {MOST} are listed.</small>}
      <ul class="deliveries">
        {shown?.map((delivery) => (
          <DeliveryItem key={delivery.id} webhookId={id} delivery={delivery} again={again} />
        ))}
      </ul>
    </section>
  );
}
