import { Highlighted } from '../parts/highlighted.tsx';
import type { ExplainedCandidate } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

interface MessagesProps {
  messages: readonly SampleMessage[];
  /** Number of earlier messages in the conversation. */
  from: number;
  matched: ExplainedCandidate['matched'];
}

/** The messages. Marks the words that matched the best campaign. */
export const Messages = ({ messages, from, matched }: MessagesProps) => (
  <ol class="messages">
    {messages.map(({ role, content }, index) => (
      <li key={index} class={role} dir="auto">
        <span class="unseen" dir="ltr">
          {role}:{' '}
        </span>
        <Highlighted
          text={content}
          ranges={matched.flatMap(({ message, positions }) => (message === from + index ? positions : []))}
        />
      </li>
    ))}
  </ol>
);
