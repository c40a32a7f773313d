import type { VNode } from 'preact';

/** An error message. Renders nothing without one. */
export const Problem = ({ text }: { text: string | VNode | null }) =>
  text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
