import { useState } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import type { Session } from '../session.ts';
import { AdCard } from './ad-card.tsx';
import { useBidding } from './bidding.ts';
import { Messages } from './messages.tsx';
import { type SampleMessage, samples } from './samples.ts';
import { Story } from './story.tsx';

/** Left a conversation, right what the service made of it. */
export function Chat({ session }: { session: Session }) {
  const [messages, setMessages] = useState<readonly SampleMessage[]>([]);
  const [country, setCountry] = useState('US');
  const { happening, problem, isBusy, ask, click } = useBidding(session);

  const say = (said: readonly SampleMessage[]) => {
    setMessages(said);
    ask(said, country);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const content = String(new FormData(form).get('content')).trim();
    if (content === '') return;
    form.reset();
    say([...messages, { role: 'user', content }]);
  };
  const candidate = happening?.debug?.candidates[0];

  return (
    <div class="halves">
      <section aria-label="Conversation" class="chat">
        <fieldset class="samples" aria-label="Sample conversations">
          {samples.map((sample) => (
            <button key={sample.name} type="button" onClick={() => say(sample.messages)}>
              {sample.name}
            </button>
          ))}
        </fieldset>
        <div class="talk" aria-live="polite">
          {messages.length === 0 && (
            <p class="notice">Type something you would ask an assistant, or pick a conversation.</p>
          )}
          <Messages messages={messages} matched={happening?.messages === messages ? (candidate?.matched ?? []) : []} />
          {happening?.ad && happening.messages === messages && <AdCard ad={happening.ad} onClick={click} />}
        </div>
        <Problem text={problem} />
        <form onSubmit={submit}>
          <label class="grow">
            <span class="unseen">Message</span>
            <input name="content" placeholder="Which tent is good in the rain?" maxLength={32768} autocomplete="off" />
          </label>
          <label class="country">
            <span class="unseen">Country, two letters</span>
            <input
              value={country}
              maxLength={2}
              size={2}
              onInput={(event) => setCountry(event.currentTarget.value.toUpperCase())}
            />
          </label>
          <button type="submit" disabled={isBusy}>
            Send
          </button>
          <button type="button" onClick={() => setMessages([])}>
            New
          </button>
        </form>
      </section>
      <section aria-label="What happened" class="story" aria-live="polite">
        {happening ? (
          <Story happening={happening} />
        ) : (
          <p class="notice">Here you will see the bid, why this campaign and not another, the ad and its click.</p>
        )}
      </section>
    </div>
  );
}
