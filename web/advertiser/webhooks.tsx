import { EVENT_TYPES } from '../../shared/events/types.ts';
import { Problem } from '../parts/problem.tsx';
import type { Session } from '../session.ts';
import { inWords } from '../words.ts';
import { useWebhooks, type WebhookBody } from './data.ts';
import { Deliveries } from './deliveries.tsx';

/** Who is told of what happens, and what came of telling them. */
export function Webhooks({ session }: { session: Session }) {
  const { value: webhooks, problem, setProblem, again } = useWebhooks(session);

  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act();
      await again();
    } catch (error) {
      setProblem(inWords(error));
    }
  };
  const register = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const url = String(new FormData(form).get('url')).trim();
    attempt(async () => {
      await session.advertiser('POST /api/v1/webhooks', { body: { url, events: [...EVENT_TYPES] } });
      form.reset();
    });
  };
  const remove = ({ id }: WebhookBody) =>
    attempt(() => session.advertiser('DELETE /api/v1/webhooks/{id}', { params: { id } }));

  return (
    <section aria-label="Webhooks">
      <h2>Webhooks</h2>
      <Problem text={problem} />
      <form onSubmit={register}>
        <label class="grow">
          <span class="unseen">Address of a receiver</span>
          <input name="url" placeholder="https://hooks.example/ads" autocomplete="off" maxLength={2048} />
        </label>
        <button type="submit">Register</button>
      </form>
      {webhooks?.map((webhook) => (
        <article key={webhook.id}>
          <div class="row">
            <b>{webhook.url}</b>
            <span class={`status ${webhook.status}`}>{webhook.status}</span>
            <button type="button" onClick={() => remove(webhook)} aria-label={`Remove ${webhook.url}`}>
              Remove
            </button>
          </div>
          <Deliveries session={session} id={webhook.id} />
        </article>
      ))}
    </section>
  );
}
