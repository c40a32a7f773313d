/** What went wrong; nothing where nothing did. */
export const Problem = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
