/** An error message. Renders nothing without one. */
export const Problem = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
