import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FieldAttributes } from './field.tsx';

interface TokensProps {
  what: string;
  tokens: readonly string[];
  /** What a token is called on the page. */
  nameOf?(token: string): string;
  onRemove(token: string): void;
}

/** The chosen entries, each with a button that removes it. */
export const Tokens = ({ what, tokens, nameOf = (token) => token, onRemove }: TokensProps) =>
  tokens.length === 0 ? null : (
    <ul class="words">
      {tokens.map((token) => (
        <li key={token}>
          <bdi>{nameOf(token)}</bdi>
          <button
            type="button"
            class="remove"
            aria-label={`Remove ${what} ${nameOf(token)}`}
            onClick={() => onRemove(token)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );

interface TokenInputProps {
  /** The name of one entry. */
  what: string;
  tokens: readonly string[];
  placeholder?: string;
  attributes: FieldAttributes;
  /** The entry that a text means. Undefined if it is none, which then stays in the field. By default, any text is one. */
  toToken?(text: string): string | undefined;
  /** What is wrong with the text in the field. A plain form is not sent with it. */
  wrong?: string | undefined;
  /** The field contains a text that is not an entry. Null once it does not. */
  onUnknown?(text: string | null): void;
  onChange(tokens: string[]): void;
}

/** Characters that end an entry, in addition to Enter. */
const ENDS = /[,;\n\t]/;

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A list of short texts, whose entries differ in more than case. Enter or a comma ends an entry, and Backspace in the empty field removes the last one. */
export function TokenInput({ what, tokens, placeholder, attributes, wrong = '', ...properties }: TokenInputProps) {
  const { toToken = (typed: string) => typed, onUnknown, onChange } = properties;
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  const add = (typed: string) => {
    const parts = typed.split(ENDS).flatMap((part) => part.trim() || []);
    const rest = parts.filter((part) => toToken(part) === undefined);
    const all = [...tokens];
    for (const token of parts.flatMap((part) => toToken(part) ?? []))
      if (!all.some((known) => isSame(known, token))) all.push(token);
    setText(rest.join(', '));
    onUnknown?.(rest[0] ?? null);
    if (all.length > tokens.length) onChange(all);
  };
  const type = (typed: string) => {
    if (ENDS.test(typed)) return add(typed);
    setText(typed);
    onUnknown?.(null);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return; // Enter accepts what an input method suggests
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '' && tokens.length > 0) onChange(tokens.slice(0, -1));
  };
  return (
    <div class="tokens">
      <Tokens
        what={what}
        tokens={tokens}
        onRemove={(token) => {
          onChange(tokens.filter((other) => other !== token));
          input.current?.focus(); // the button disappears
        }}
      />
      <input
        {...attributes}
        ref={input}
        value={text}
        placeholder={placeholder}
        autocomplete="off"
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={press}
        onBlur={() => add(text)}
      />
    </div>
  );
}
