import type { Failure } from '../errors.ts';
import { Refused } from './refused.tsx';

/** An error message. Renders nothing without one. */
export const Problem = ({ text }: { text: Failure | null }) =>
  text === null ? null : (
    <p class="problem" role="alert">
      <FailureText of={text} />
    </p>
  );

export const FailureText = ({ of: failure }: { of: Failure }) => (typeof failure === 'string' ? failure : <Refused />);
