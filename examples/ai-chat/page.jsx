import { useChat } from '@ai-sdk/react';
import { SponsoredCard } from '@conversation-ads/ai/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Chat() {
  const { messages, sendMessage, status } = useChat();
  const [text, setText] = useState('Which running shoes would you recommend for a beginner?');
  const send = (event) => {
    event.preventDefault();
    sendMessage({ text });
    setText('');
  };
  return (
    <main data-status={status}>
      <h1>Chat</h1>
      {messages.map(({ id, role, parts }) => (
        <article key={id} aria-label={role}>
          {parts.map((part, index) => {
            if (part.type === 'text') return <p key={`${id} ${index}`}>{part.text}</p>;
            if (part.type === 'data-sponsored') return <SponsoredCard key={part.id} part={part} />;
            return null;
          })}
        </article>
      ))}
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit" disabled={status !== 'ready' || text === ''}>
          Send
        </button>
      </form>
    </main>
  );
}

createRoot(document.getElementById('chat')).render(<Chat />);
