import type MiniSearch from 'minisearch';
import type { Options } from 'minisearch';
import { useEffect, useRef, useState } from 'preact/hooks';
import { findRanges } from '../highlight.ts';
import { Highlighted } from '../parts/highlighted.tsx';
import { find } from './find.ts';
import { showOrigin } from './origin.ts';

const EXCERPT_LENGTH = 160;
/** How much of an excerpt comes before the first match. */
const LEAD_LENGTH = 50;

async function loadIndex(): Promise<MiniSearch> {
  const [{ default: Index }, response] = await Promise.all([import('minisearch'), fetch('/assets/search.json')]);
  if (!response.ok) throw new Error(`The index was answered ${response.status}`);
  const { options, index }: { options: Options; index: Parameters<typeof Index.loadJS>[0] } = await response.json();
  return Index.loadJS(index, options);
}

/** The words of the text around the first match. */
function toExcerpt(text: string, terms: readonly string[]): string {
  const first = Math.min(...findRanges(text, terms).map(({ start }) => start), text.length);
  const from = first < LEAD_LENGTH || first === text.length ? 0 : text.indexOf(' ', first - LEAD_LENGTH) + 1;
  const rest = text.slice(from);
  const short = rest.length > EXCERPT_LENGTH ? `${rest.slice(0, rest.lastIndexOf(' ', EXCERPT_LENGTH))}\u00a0…` : rest;
  return from > 0 ? `… ${short}` : short;
}

const Marked = ({ text, terms }: { text: string; terms: readonly string[] }) => (
  <Highlighted text={text} ranges={findRanges(text, terms)} />
);

/** Searches all documents by section. `/` or Ctrl+K focuses it, arrows go through the results, and Escape closes them. */
export function Search() {
  const place = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [index, setIndex] = useState<MiniSearch | 'failed' | null>(null);
  const loading = useRef(false);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
      const isAsked = event.key === '/' ? !isTyping : event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked) return;
      event.preventDefault();
      field.current?.focus();
    };
    const leave = ({ target }: Event) => target instanceof Node && !place.current?.contains(target) && setOpen(false);
    addEventListener('keydown', focus);
    addEventListener('pointerdown', leave);
    addEventListener('focusin', leave);
    return () => {
      removeEventListener('keydown', focus);
      removeEventListener('pointerdown', leave);
      removeEventListener('focusin', leave);
    };
  }, []);

  const load = () => {
    setOpen(true);
    if (loading.current) return;
    loading.current = true;
    loadIndex().then(setIndex, () => {
      loading.current = false; // the next focus tries again
      setIndex('failed');
    });
  };

  const asked = query.trim();
  const results = index && index !== 'failed' && asked ? find(index, asked) : [];

  const move = (event: KeyboardEvent) => {
    const links = [...(place.current?.querySelectorAll<HTMLElement>('li a') ?? [])];
    const at = links.findIndex((link) => link.matches(':focus'));
    if (event.key === 'Escape') {
      field.current?.focus();
      if (isOpen && asked) setOpen(false);
      else setQuery('');
    } else if (event.key === 'ArrowDown') (links[at + 1] ?? links.at(-1))?.focus();
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : field.current)?.focus();
    else if (event.key === 'Enter' && at < 0) links[0]?.click();
    else return;
    event.preventDefault();
  };

  return (
    <search ref={place} onKeyDown={move}>
      <input
        ref={field}
        type="search"
        aria-label="Search the documents"
        placeholder="Search"
        value={query}
        onFocus={load}
        onInput={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setOpen(true);
        }}
      />
      <kbd>/</kbd>
      {isOpen && asked && (
        <div class="results">
          <p role="status">{describe(index, results.length, asked)}</p>
          <ul>
            {results.map(({ id, title, heading, text, terms }) => (
              <li key={id}>
                <a href={id} onClick={() => setOpen(false)}>
                  <strong>
                    <Marked text={heading || title} terms={terms} />
                  </strong>{' '}
                  {heading && <small>{title}</small>}
                  <span class="excerpt">
                    <Marked text={toExcerpt(showOrigin(text, location.origin), terms)} terms={terms} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}

function describe(index: MiniSearch | 'failed' | null, count: number, query: string): string {
  if (index === 'failed') return 'The search could not be loaded. Check your connection and try again.';
  if (!index) return 'Loading…';
  if (count === 0) return `No results for “${query}”`;
  return count === 1 ? '1 result' : `${count} results`;
}
