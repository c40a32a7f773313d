import { Highlighted } from '../parts/highlighted.tsx';
import type { ExplainedCandidate } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

interface MessagesProps {
  messages: readonly SampleMessage[];
  /** How many messages of the conversation came before these. */
  from: number;
  matched: ExplainedCandidate['matched'];
}

/** What was said, with the words marked that spoke for the best campaign. */
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
