import { highlight } from '../highlight.ts';
import type { ExplainedCandidate } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

/** A conversation, with the words marked that spoke for the best campaign. */
export const Messages = ({
  messages,
  matched,
}: {
  messages: readonly SampleMessage[];
  matched: ExplainedCandidate['matched'];
}) => (
  <ol class="messages">
    {messages.map(({ role, content }, index) => (
      <li key={index} class={role}>
        <span class="unseen">{role}: </span>
        {highlight(
          content,
          matched.filter(({ message }) => message === index).map(({ term }) => term),
        ).map(({ text, isTerm }) => (isTerm ? <mark>{text}</mark> : text))}
      </li>
    ))}
  </ol>
);
