import { useRef } from 'preact/hooks';

/**
 * Returns the idempotency key of a creation. An unchanged body keeps its key, so a retry after a lost response creates only one resource.
 */
export function useIdempotency(): (body: object) => string {
  const last = useRef({ text: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
