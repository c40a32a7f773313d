import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

const TYPED = 'What you have typed here is not saved.';

interface Unsaved {
  /** Of the page that it is on. */
  address: string;
  /** What its visitor is told before it is lost. */
  loss: string;
}

/** What would be lost with the page: what is typed into a form, or a secret. */
const unsaved = new Set<{ current: Unsaved }>();

/** Whether what is not saved may be given up: its visitor is asked, once, where there is any. */
export function mayLeave(): boolean {
  const losses = new Set([...unsaved].map(({ current }) => current.loss));
  if (losses.size > 0 && !confirm(`Leave this page? ${[...losses].join(' ')}`)) return false;
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
  const [first] = unsaved;
  if (!first || !isElsewhere(location, first.current.address) || mayLeave()) return;
  stop(event);
  history.pushState(null, '', first.current.address);
}

// Before the router hears of it.
addEventListener('click', onClick, true);
addEventListener('popstate', onPopState, true);
addEventListener('beforeunload', (event) => unsaved.size > 0 && event.preventDefault());

/** Asks before its visitor leaves what is not saved. Gives what tells that it is. */
export function useUnsaved(isUnsaved: boolean, loss = TYPED): () => void {
  const place = useRef({ address: '', loss });
  place.current.address = useLocation().url;
  const saved = () => void unsaved.delete(place);
  useEffect(() => {
    if (isUnsaved) unsaved.add(place);
    return saved;
  }, [isUnsaved]);
  return saved;
}
