import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

const QUESTION = 'Leave this page? Your changes are not saved.';

/** The questions of forms with unsaved changes, by the URL of their page. */
const unsaved = new Map<{ current: string }, string>();

/** Whether unsaved changes may be lost. Asks the visitor once if there are any. */
export function mayLeave(): boolean {
  const [question] = unsaved.values();
  if (question && !confirm(question)) return false;
  unsaved.clear();
  return true;
}

const isElsewhere = ({ origin, pathname }: { origin: string; pathname: string }, address: string): boolean =>
  origin !== location.origin || pathname !== new URL(address, origin).pathname;

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The link of a click that leaves the page in this tab. */
function onClick(event: MouseEvent): void {
  const link = event.composedPath().find((part) => part instanceof HTMLAnchorElement);
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const isHere = (link.target === '' || link.target === '_self') && !link.download;
  if (isHere && isElsewhere(link, location.pathname) && !mayLeave()) stop(event);
}

/** Back and forward. The event fires after the URL has changed, so the URL is changed back. */
function onPopState(event: Event): void {
  const [form] = unsaved.keys();
  if (!form || !isElsewhere(location, form.current) || mayLeave()) return;
  stop(event);
  history.pushState(null, '', form.current);
}

// Registered before the router's own listeners.
addEventListener('click', onClick, true);
addEventListener('popstate', onPopState, true);
addEventListener('beforeunload', (event) => unsaved.size > 0 && event.preventDefault());

/** Asks for confirmation before the visitor leaves what is unfinished. Returns a function that marks it as saved. */
export function useUnsaved(isUnsaved: boolean, question = QUESTION): () => void {
  const form = useRef('');
  form.current = useLocation().url;
  const saved = () => void unsaved.delete(form);
  useEffect(() => {
    if (isUnsaved) unsaved.set(form, question);
    return saved;
  }, [isUnsaved, question]);
  return saved;
}
