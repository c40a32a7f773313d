import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useFirstFocus } from './focus.ts';

/** A text with a button that copies it. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [says, say] = useState('Copy');
  // There is no clipboard without TLS, and the browser may deny access to it.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied');
    } catch {
      say('Could not copy. Select the text instead');
    }
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={`Copy ${what}`}>
      <span aria-live="polite">{says}</span>
    </button>
  );
}

interface SecretProps {
  text: string;
  what: string;
  onDone(): void;
  /** What it is for, and what someone else could do with it. */
  children: ComponentChildren;
}

/** A secret that the service shows only once. */
export function Secret({ text, what, onDone, children }: SecretProps) {
  const section = useFirstFocus<HTMLElement>();
  return (
    <section class="card secret" aria-label={`New ${what}`} ref={section} tabIndex={-1}>
      <h2>Keep this {what} now</h2>
      <p>It is shown only once. Store it where you keep your secrets.</p>
      <p>{children}</p>
      <div class="code-line">
        <code>{text}</code>
        <Copy text={text} what={what} />
      </div>
      <button type="button" onClick={onDone}>
        I stored it
      </button>
    </section>
  );
}
