import { useRef } from 'preact/hooks';

/**
 * Returns the idempotency key of a creation. The key stays the same while the body does, so a retry after a lost response creates only one
 * resource.
 */
export function useIdempotency(): (body: object) => string {
  const last = useRef({ text: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
