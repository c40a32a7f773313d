import { Snippet } from '../parts/snippet.tsx';
import { getRequestSnippets } from './snippets.ts';

interface RequestSnippetProps {
  /** The full key, if it is known. */
  apiKey?: string;
  /** Whether the key has not been used yet. */
  isFirst?: boolean;
}

/** How a chat's server requests ads with a key. */
export default function RequestSnippet({ apiKey = '<your API key>', isFirst = false }: RequestSnippetProps) {
  return (
    <section class="card" aria-label="Snippet">
      <Snippet
        heading={<h2>{isFirst ? 'Send your first request' : 'In your chat’s server'}</h2>}
        texts={getRequestSnippets(location.origin, apiKey)}
      />
      <small>
        The key stays on the server. <a href="/docs/publisher">How a chat shows ads</a>
      </small>
    </section>
  );
}
