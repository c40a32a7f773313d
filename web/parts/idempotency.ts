import { useRef } from 'preact/hooks';

/**
 * Gives the idempotency key of a creation: the same while the same is asked for, so that sending it again after a lost answer makes one
 * thing; another one when it was changed.
 */
export function useIdempotency(): (body: object) => string {
  const last = useRef({ text: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
