import { Secret } from '../parts/copy.tsx';

/** A new API key, which the service shows only once. */
export const KeySecret = ({ text, onDone }: { text: string; onDone(): void }) => (
  <Secret text={text} what="API key" onDone={onDone}>
    Your server sends it with every request for an ad. Whoever has it can request ads as you and use up your rate limit.{' '}
    <a href="/docs/publisher">How to use it</a>
  </Secret>
);
