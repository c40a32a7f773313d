import { useMemo, useState } from 'preact/hooks';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session.ts';
import { ChatKey } from './chat-key.tsx';
import { Conversation } from './conversation.tsx';
import { forgetKey, loadKey } from './kept-key.ts';
import { Story } from './story.tsx';
import { useTurns } from './turns.ts';

/** A chat with ads, next to an explanation of each auction. */
export default function ChatPage() {
  const { visitor } = useSession();
  const [key, setKey] = useState(loadKey(visitor.user) ?? (visitor.kind === 'demo' ? visitor.apiKey : null));
  const [isRefused, setRefused] = useState(false);
  const refuse = () => {
    forgetKey(visitor.user);
    setRefused(true);
    setKey(null);
  };
  return (
    <Page title="Chat">
      {key ? <Chat apiKey={key} onRefused={refuse} /> : <ChatKey isRefused={isRefused} onMade={setKey} />}
    </Page>
  );
}

interface ChatProps {
  apiKey: string;
  /** Called if the key has been switched off, rotated, or deleted. */
  onRefused(): void;
}

function Chat({ apiKey, onRefused }: ChatProps) {
  const session = useSession();
  const publisher = useMemo(() => session.withKey(apiKey, onRefused), [session, apiKey]);
  const { turns, selected, say, click, reject, begin } = useTurns({
    session,
    publisher,
    isTest: apiKey.startsWith('ak_test_'),
  });
  return (
    <div class="halves">
      <Conversation turns={turns} onSay={say} onClick={click} onReject={reject} onBegin={begin} />
      <section aria-label="What happened" class="card story" aria-live="polite">
        {selected ? (
          <Story key={selected.id} happening={selected.happening} problem={selected.problem} />
        ) : (
          <>
            <h2>How the service decides</h2>
            <p class="notice">
              Send a message. This panel then shows the bid, why this campaign won and not another, the ad, and its
              click.
            </p>
          </>
        )}
      </section>
    </div>
  );
}
