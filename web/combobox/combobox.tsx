import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FormField, type Need } from '../parts/field.tsx';
import { Tokens } from '../parts/token-input.tsx';
import { findClosest, findExact, findOptions, type Option } from './search.ts';

interface ComboboxProps {
  /** The field's API path. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  need?: Need | undefined;
  /** The name of one entry, such as "country". */
  what: string;
  options: readonly Option[];
  /** The codes of the chosen options. */
  chosen: readonly string[];
  /** Whether the visitor may enter words that are not among the options. */
  allowsOthers?: boolean;
  /** Whether a text that is not among the options is the code of another entry. By default, none is. */
  isCode?(text: string): boolean;
  /** The name of a chosen code that is not among the options. By default, the code. */
  nameCode?(code: string): string;
  /** What to enter instead of a text that is no entry. */
  expected?: string;
  placeholder?: string;
  onChange(codes: string[]): void;
  /** The visitor has left the field or changed what is chosen. */
  onLeave?(): void;
  /** The visitor has left text in the field that is not an entry. Null once it is gone. */
  onUnknown?(fault: string | null): void;
}

/** Characters that end an entry. A comma may be a part of it. */
const ENDS = /[;\n\t]/;
const MAX_SHOWN = 100;

/** A field that searches options by name and collects the chosen ones as tokens: a combobox of the WAI-ARIA patterns. */
export function Combobox(properties: ComboboxProps) {
  const { name, label, hint, fault, need, what, options, chosen, allowsOthers = false, placeholder } = properties;
  const { isCode = () => false, nameCode = (code) => code, expected = 'Choose one from the list.' } = properties;
  const [text, setText] = useState('');
  const [isListShown, setListShown] = useState(false);
  const [active, setActive] = useState(-1);
  const [unknown, setUnknown] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const names = useMemo(() => new Map(options.map((option) => [option.code, option.name])), [options]);
  const shown = useMemo(() => suggest(options, chosen, text, allowsOthers), [options, chosen, text, allowsOthers]);
  const isExpanded = isListShown && shown.length > 0;
  const listId = `list-${name}`;

  // A plain form does not send text that is neither chosen nor removed.
  useLayoutEffect(() => {
    input.current?.setCustomValidity(unknown ?? '');
    properties.onUnknown?.(unknown);
  }, [unknown]);
  useEffect(() => list.current?.scrollIntoView?.({ block: 'nearest' }), [isExpanded]);
  useEffect(() => list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' }), [active, isExpanded]);

  const change = (codes: readonly string[]) => {
    properties.onChange([...new Set(codes)]);
    properties.onLeave?.();
  };
  const type = (typed: string) => {
    setText(typed);
    setUnknown(null);
    setListShown(true);
    setActive(-1);
  };
  const clear = () => {
    type('');
    setListShown(false);
  };
  const choose = (option: Option) => {
    change([...chosen, option.code]);
    clear();
  };
  /** Adds the entries that it knows by name, code, or synonym, and keeps the others as text. */
  const add = (typed: string) => {
    const parts = split(options, typed, allowsOthers);
    const found = parts.map((part) => toCode(options, part, allowsOthers) ?? (isCode(part) ? part : undefined));
    const rest = parts.filter((_, index) => found[index] === undefined);
    const codes = found.filter((code) => code !== undefined);
    if (codes.some((code) => !chosen.includes(code))) change([...chosen, ...codes]);
    clear();
    if (rest.length === 0) return;
    setText(rest.join(', '));
    setUnknown(explainUnknown(options, rest[0]!, what, expected));
  };
  /** Takes the entry that was typed in full, or the first of those that match. */
  const enter = () => {
    const [first] = isExpanded && !allowsOthers ? shown : [];
    const isEntry =
      isCode(text.trim()) || findExact(options, text) !== undefined || split(options, text, allowsOthers).length > 1;
    if (first && !isEntry) choose(first);
    else add(text);
  };
  const endsEntry = (typed: string) =>
    ENDS.test(typed) || (typed.endsWith(',') && !allowsOthers && findExact(options, typed) !== undefined);
  const move = (to: number) => {
    setListShown(true);
    setActive((to + shown.length) % Math.max(1, shown.length));
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    const option = isExpanded ? shown[active] : undefined;
    if (event.key === 'ArrowDown') move(isExpanded ? active + 1 : 0);
    else if (event.key === 'ArrowUp') move(isExpanded && active >= 0 ? active - 1 : -1);
    else if (event.key === 'Enter' && option) choose(option);
    else if (event.key === 'Enter' && text.trim() !== '') enter();
    else if (event.key === 'Escape' && (isExpanded || text !== '')) {
      if (isExpanded) setListShown(false);
      else clear();
    } else {
      if (event.key === 'Backspace' && text === '' && chosen.length > 0) change(chosen.slice(0, -1));
      return;
    }
    event.preventDefault();
    event.stopPropagation(); // Escape would close a dialog
  };
  return (
    <FormField name={name} label={label} hint={hint} fault={unknown ?? fault} need={need}>
      {(attributes) => (
        <div class="tokens combobox">
          <Tokens
            what={what}
            tokens={chosen}
            nameOf={(code) => names.get(code) ?? nameCode(code)}
            onRemove={(code) => {
              change(chosen.filter((other) => other !== code));
              input.current?.focus(); // the button disappears
              setListShown(false);
            }}
          />
          <input
            {...attributes}
            ref={input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isExpanded}
            aria-controls={isExpanded ? listId : undefined}
            aria-activedescendant={isExpanded && active >= 0 ? `${listId}-${active}` : undefined}
            autocomplete="off"
            placeholder={placeholder}
            value={text}
            onInput={({ currentTarget: { value } }) => (endsEntry(value) ? add(value) : type(value))}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData('text') ?? '';
              // The field itself would drop line ends.
              if (text !== '' || split(options, pasted, allowsOthers).length < 2) return;
              event.preventDefault();
              add(pasted);
            }}
            onKeyDown={press}
            onClick={() => setListShown(!isExpanded)}
            onBlur={() => {
              setListShown(false);
              if (text.trim() !== '') add(text);
              else properties.onLeave?.();
            }}
          />
          {isExpanded && (
            <div
              ref={list}
              id={listId}
              role="listbox"
              tabIndex={-1}
              aria-label={label}
              onMouseDown={(event) => event.preventDefault()} // keeps the focus in the field
            >
              {shown.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                <div
                  key={option.code}
                  id={`${listId}-${index}`}
                  role="option"
                  tabIndex={-1}
                  dir="auto"
                  aria-selected={index === active}
                  onClick={() => choose(option)}
                  onMouseMove={() => setActive(index)}
                >
                  {option.name}
                  {option.above && <small> {option.above}</small>}
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </FormField>
  );
}

/** Splits typed or pasted text into entries. A comma separates them unless it is part of a name. */
const split = (options: readonly Option[], text: string, allowsOthers: boolean): readonly string[] =>
  text
    .split(ENDS)
    .flatMap((part) => (allowsOthers || findExact(options, part) ? part : part.split(',')))
    .flatMap((part) => part.trim() || []);

/** The code of a typed entry. Words that the visitor may enter are only replaced by a name that differs in case or accents. */
function toCode(options: readonly Option[], text: string, allowsOthers: boolean): string | undefined {
  const option = findExact(allowsOthers ? options.map((one) => ({ ...one, synonyms: [] })) : options, text);
  return option?.code ?? (allowsOthers ? text : undefined);
}

/** The options for the text that are not chosen yet; if none matches, the one that is meant. */
function suggest(options: readonly Option[], chosen: readonly string[], text: string, allowsOthers: boolean) {
  const typed = text.trim();
  const matching = findOptions(options, typed);
  const closest = matching.length === 0 && !allowsOthers ? findClosest(options, typed) : undefined;
  const all = closest ? [closest] : matching;
  const free = all.filter(({ code }) => !chosen.includes(code)).slice(0, typed === '' ? all.length : MAX_SHOWN);
  if (!allowsOthers || typed === '' || chosen.includes(typed) || toCode(options, typed, true) !== typed) return free;
  if (free.some(({ code }) => code === typed)) return free;
  return [...free, { code: typed, name: `Use “${typed}” as it is`, synonyms: [] }];
}

/** What is wrong with a typed entry, and what was probably meant. */
function explainUnknown(options: readonly Option[], text: string, what: string, expected: string): string {
  const closest = findClosest(options, text);
  return `“${text}” is not a ${what}. ${closest ? `Did you mean ${closest.name}?` : expected}`;
}
