import { useRef, useState } from 'preact/hooks';
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
  onChange(tokens: string[]): void;
}

/** Characters that end an entry, in addition to Enter. */
const ENDS = /[,;\n\t]/;

/** A list of short texts. Enter or a comma ends an entry, and Backspace in the empty field removes the last one. */
export function TokenInput({ what, tokens, placeholder, attributes, onChange }: TokenInputProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const add = (typed: string) => {
    const fresh = typed.split(ENDS).map((part) => part.trim());
    const all = [...tokens, ...fresh.filter((part) => part !== '' && !tokens.includes(part))];
    setText('');
    if (all.length > tokens.length) onChange([...new Set(all)]);
  };
  const type = (typed: string) => (ENDS.test(typed) ? add(typed) : setText(typed));
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return; // Enter accepts what an input method suggests
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '') onChange(tokens.slice(0, -1));
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
