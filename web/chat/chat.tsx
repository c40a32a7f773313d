import { useMemo, useState } from 'preact/hooks';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session.ts';
import { ChatKey, keptKey } from './chat-key.tsx';
import { Conversation } from './conversation.tsx';
import { Story } from './story.tsx';
import { useTurns } from './turns.ts';

/** A chat with ads, and beside it what the service made of it. */
export default function ChatPage() {
  const { visitor } = useSession();
  const [key, setKey] = useState(visitor.kind === 'demo' ? visitor.apiKey : keptKey());
  return <Page title="Chat">{key ? <Chat apiKey={key} /> : <ChatKey onMade={setKey} />}</Page>;
}

function Chat({ apiKey }: { apiKey: string }) {
  const session = useSession();
  const publisher = useMemo(() => session.withKey(apiKey), [session, apiKey]);
  const { turns, told, say, click, begin } = useTurns({ session, publisher, isTest: apiKey.startsWith('ak_test_') });
  return (
    <div class="halves">
      <Conversation turns={turns} onSay={say} onClick={click} onBegin={begin} />
      <section aria-label="What happened" class="card story" aria-live="polite">
        {told ? (
          <Story key={told.id} happening={told.happening} problem={told.problem} />
        ) : (
          <>
            <h2>What the service makes of it</h2>
            <p class="notice">
              Say something: here you will see the bid, why this campaign and not another, the ad and its click.
            </p>
          </>
        )}
      </section>
    </div>
  );
}
