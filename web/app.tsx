import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Advertiser } from './advertiser/advertiser.tsx';
import { Chat } from './chat/chat.tsx';
import { WhoAmI } from './parts/who-am-i.tsx';
import { type Identity, keepIdentity, knownIdentity, openSession } from './session.ts';
import './style.css';

type View = 'chat' | 'advertiser';
const viewOf = (hash: string): View => (hash === '#advertiser' ? 'advertiser' : 'chat');

function App({ known }: { known: Identity | null }) {
  const [identity, setIdentity] = useState(known);
  const [session, setSession] = useState(() => (known ? openSession(known) : undefined));
  const [view, setView] = useState(viewOf(location.hash));

  useEffect(() => {
    const follow = () => setView(viewOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  const become = (chosen: Identity) => {
    keepIdentity(chosen);
    setIdentity(chosen);
    setSession(openSession(chosen));
  };

  const tab = (name: View, label: string) => (
    <a href={`#${name}`} aria-current={view === name ? 'page' : undefined}>
      {label}
    </a>
  );

  return (
    <>
      <header>
        <h1>Contextual ads for conversations</h1>
        <nav aria-label="Views">
          {tab('chat', 'Chat')}
          {tab('advertiser', 'Advertiser')}
          <a href="/docs">API</a>
        </nav>
        <WhoAmI identity={identity} onChange={become} />
      </header>
      <main>
        {!session && (
          <p class="notice">Say who you are, above: a publisher’s key for the chat, a user for the campaigns.</p>
        )}
        {session && view === 'chat' && <Chat key={session.identity.apiKey} session={session} />}
        {session && view === 'advertiser' && <Advertiser key={session.identity.advertiser} session={session} />}
      </main>
    </>
  );
}

const known = await knownIdentity();
render(<App known={known} />, document.querySelector('#app')!);
