import { useEffect, useRef, useState } from 'preact/hooks';
import { AdCard } from '../parts/ad-card.tsx';
import { Problem } from '../parts/problem.tsx';
import { Messages } from './messages.tsx';
import { type SampleMessage, samples } from './samples.ts';
import type { ChatTurn } from './turns.ts';

interface ConversationProps {
  turns: readonly ChatTurn[];
  onSay(before: readonly ChatTurn[], newMessages: readonly SampleMessage[], country: string): void;
  onClick(turn: ChatTurn): void;
  onReject(turn: ChatTurn): void;
  onBegin(): void;
}

/** The chat as its user sees it: the ad is below the answer and labeled as an ad. */
export function Conversation({ turns, onSay, onClick, onReject, onBegin }: ConversationProps) {
  const [country, setCountry] = useState('US');
  const talk = useRef<HTMLDivElement>(null);
  useEffect(() => {
    talk.current?.scrollTo({ top: talk.current.scrollHeight });
  }, [turns]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const content = String(new FormData(form).get('content')).trim();
    if (content === '') return;
    form.reset();
    onSay(turns, [{ role: 'user', content }], country);
  };
  return (
    <section aria-label="Conversation" class="card chat">
      <fieldset class="samples" aria-label="Sample conversations">
        {samples.map((sample) => (
          <button key={sample.name} type="button" class="small" onClick={() => onSay([], sample.messages, country)}>
            {sample.name}
          </button>
        ))}
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <div class="talk" role="log" aria-label="Conversation so far" tabIndex={0} ref={talk}>
        {turns.length === 0 && (
          <p class="notice">
            Ask something you would ask an assistant, or pick a conversation above. The answers are scripted, but the
            ads are real: each ad that is shown is charged to its campaign.
          </p>
        )}
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            from={countBefore(turns, index)}
            onClick={() => onClick(turn)}
            onReject={() => onReject(turn)}
          />
        ))}
      </div>
      <form onSubmit={submit} class="say">
        <input
          name="content"
          dir="auto"
          aria-label="Message"
          placeholder="Which tent is good in the rain?"
          maxLength={32768}
          autocomplete="off"
        />
        <input
          class="country"
          aria-label="Country, two letters"
          value={country}
          maxLength={2}
          size={2}
          onInput={(event) => setCountry(event.currentTarget.value.toUpperCase())}
        />
        <button type="submit" class="primary">
          Send
        </button>
        <button type="button" onClick={onBegin}>
          New
        </button>
      </form>
    </section>
  );
}

/** Number of messages in the previous turns, including the answers. */
const countBefore = (turns: readonly ChatTurn[], index: number): number =>
  turns.slice(0, index).reduce((sum, { newMessages }) => sum + newMessages.length + 1, 0);

/** The button had the focus and is gone. */
const focus = (element: HTMLElement | null): void => element?.focus();

interface TurnViewProps {
  turn: ChatTurn;
  from: number;
  onClick(): void;
  onReject(): void;
}

function TurnView({ turn, from, onClick, onReject }: TurnViewProps) {
  const { newMessages, answer, happening, problem, isBusy } = turn;
  return (
    <>
      <Messages messages={newMessages} from={from} matched={happening?.debug?.candidates[0]?.matched ?? []} />
      <Messages messages={[{ role: 'assistant', content: answer }]} from={from + newMessages.length} matched={[]} />
      {happening?.ad && !happening.isRejected && (
        <AdCard ad={happening.ad} onClick={onClick} onReject={onReject} isBusy={isBusy} />
      )}
      {happening?.isRejected && (
        <p ref={focus} tabIndex={-1} class="notice">
          Thanks, the ad is hidden.
        </p>
      )}
      <Problem text={problem} />
    </>
  );
}
