import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

const QUESTION = 'Leave this page? Your changes are not saved.';

/** Forms with something in them that is not saved, by the address of the page that they are on. */
const unsaved = new Set<{ current: string }>();

/** Whether what is typed may be given up: its visitor is asked, once, where there is any. */
export function mayLeave(): boolean {
  if (unsaved.size > 0 && !confirm(QUESTION)) return false;
  unsaved.clear();
  return true;
}

const isElsewhere = ({ origin, pathname }: { origin: string; pathname: string }, address: string): boolean =>
  origin !== location.origin || pathname !== new URL(address, origin).pathname;

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A link that is followed in this tab, off the page. */
function onClick(event: MouseEvent): void {
  const link = event.composedPath().find((part) => part instanceof HTMLAnchorElement);
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const isHere = (link.target === '' || link.target === '_self') && !link.download;
  if (isHere && isElsewhere(link, location.pathname) && !mayLeave()) stop(event);
}

/** The way back or forth. The address has changed already when it is told, so it is changed back. */
function onPopState(event: Event): void {
  const [form] = unsaved;
  if (!form || !isElsewhere(location, form.current) || mayLeave()) return;
  stop(event);
  history.pushState(null, '', form.current);
}

// Before the router hears of it.
addEventListener('click', onClick, true);
addEventListener('popstate', onPopState, true);
addEventListener('beforeunload', (event) => unsaved.size > 0 && event.preventDefault());

/** Asks before its visitor leaves a form that is not saved. Gives what tells that it is. */
export function useUnsaved(isUnsaved: boolean): () => void {
  const form = useRef('');
  form.current = useLocation().url;
  const saved = () => void unsaved.delete(form);
  useEffect(() => {
    if (isUnsaved) unsaved.add(form);
    return saved;
  }, [isUnsaved]);
  return saved;
}
