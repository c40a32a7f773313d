import { useChat } from '@ai-sdk/react';
import { SponsoredCard } from '@conversation-ads/ai/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const SUGGESTIONS = [
  'Which running shoes would you recommend for a beginner?',
  'Is there a quiet cabin by the lake for a weekend in October?',
  'How do I find cheaper car insurance?',
  'Is a Python course worth paying for?',
  'Hi! How are you today?',
];

function Chat() {
  // The hook sends the conversation's ID with each question.
  const { messages, sendMessage, status } = useChat();
  const [text, setText] = useState('');
  const isReady = status === 'ready' || status === 'error';
  const follow = useAutoScroll(messages);
  const ask = (question) => {
    follow();
    sendMessage({ text: question });
    setText('');
  };
  const submit = (event) => {
    event.preventDefault();
    ask(text);
  };
  return (
    <main data-status={status}>
      <h1>A chat with ads</h1>
      <p className="quiet">
        The answers are canned, and the advertisers are fictional. The ads are real responses of the service.
      </p>
      {messages.map((message) => (
        <Message key={message.id} {...message} />
      ))}
      {status === 'error' && <p role="alert">The answer failed. Ask again.</p>}
      {messages.length === 0 && (
        <div className="suggestions">
          {SUGGESTIONS.map((suggestion) => (
            <button key={suggestion} type="button" onClick={() => ask(suggestion)}>
              {suggestion}
            </button>
          ))}
        </div>
      )}
      <form onSubmit={submit}>
        <input
          aria-label="Message"
          placeholder="Ask something"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" disabled={!isReady || text.trim() === ''}>
          Send
        </button>
      </form>
    </main>
  );
}

/** Maximum distance from the end of the page that counts as the end. */
const END_PX = 48;

/** Keeps the end of the growing conversation in view until the user scrolls up. Returns a function that follows the end again. */
function useAutoScroll(messages) {
  const isAtEnd = useRef(true);
  const page = document.documentElement;
  useEffect(() => {
    const update = () => {
      isAtEnd.current = innerHeight + scrollY >= page.scrollHeight - END_PX;
    };
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, [page]);
  // The page grows with its messages.
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollTo(0, page.scrollHeight);
  }, [messages]);
  return () => {
    isAtEnd.current = true;
  };
}

const Message = ({ id, role, parts }) => (
  <article aria-label={role === 'user' ? 'You' : 'Assistant'}>
    {parts.map((part, index) => {
      if (part.type === 'text') return <p key={`${id} ${index}`}>{part.text}</p>;
      if (part.type !== 'data-sponsored') return null;
      return (
        <SponsoredCard key={part.id} part={part}>
          {(ad) => <Ad {...ad} />}
        </SponsoredCard>
      );
    })}
  </article>
);

const Ad = ({ url, imageUrl, headline, description, callToAction }) => (
  <a className="ad" href={url} target="_blank" rel="sponsored noopener noreferrer">
    {imageUrl && <img src={imageUrl} alt="" referrerPolicy="no-referrer" />}
    <strong>{headline}</strong>
    <span>{description}</span>
    <b>{callToAction}</b>
  </a>
);

createRoot(document.getElementById('chat')).render(<Chat />);
