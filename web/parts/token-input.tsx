import { useRef, useState } from 'preact/hooks';
import type { FieldAttributes } from './field.tsx';

interface TokenInputProps {
  /** The name of one entry. */
  what: string;
  /** Whether an entry may contain a comma, such as "Soundtracks, TV and Showtunes". */
  hasCommas?: boolean;
  tokens: readonly string[];
  placeholder?: string;
  attributes: FieldAttributes;
  onChange(tokens: string[]): void;
}

/** Characters that end an entry, in addition to Enter. */
const ENDS = /[,;\n\t]/;
const ENDS_BUT_COMMAS = /[;\n\t]/;

/** A list of short texts. Enter or a comma ends an entry, and Backspace in the empty field removes the last one. */
export function TokenInput({ what, hasCommas = false, tokens, placeholder, attributes, onChange }: TokenInputProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const ends = hasCommas ? ENDS_BUT_COMMAS : ENDS;
  const add = (typed: string) => {
    const fresh = typed.split(ends).map((part) => part.trim());
    const all = [...tokens, ...fresh.filter((part) => part !== '' && !tokens.includes(part))];
    setText('');
    if (all.length > tokens.length) onChange([...new Set(all)]);
  };
  const type = (typed: string) => (ends.test(typed) ? add(typed) : setText(typed));
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '') onChange(tokens.slice(0, -1));
  };
  return (
    <div class="tokens">
      {tokens.length > 0 && (
        <ul class="words">
          {tokens.map((token) => (
            <li key={token}>
              <bdi>{token}</bdi>
              <button
                type="button"
                class="remove"
                aria-label={`Remove ${what} ${token}`}
                onClick={() => {
                  onChange(tokens.filter((other) => other !== token));
                  input.current?.focus(); // this button disappears
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
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
