import { Secret } from '../parts/copy.tsx';

/** A new signing secret, which the service shows only once. */
export const SigningSecret = ({ text, onDone }: { text: string; onDone(): void }) => (
  <Secret text={text} what="signing secret" onDone={onDone}>
    Use it to check that events come from us. Whoever has it can forge events to your endpoint.{' '}
    <a href="/docs/events">How to verify events</a>
  </Secret>
);
