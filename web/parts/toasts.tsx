import { useEffect, useRef, useState } from 'preact/hooks';

const SECONDS = 6;

interface ToastOptions {
  /** How long it stays. */
  seconds?: number;
  /** A button next to the seconds that are left. It closes the toast. */
  action?: { label: string; run(): void };
  /** Called when it closes, except by its action: its time is over, or the visitor closes it or leaves the desk. */
  onEnd?(): void;
  /** A problem stays until the visitor closes it. */
  isProblem?: boolean;
}

interface Toast extends ToastOptions {
  id: string;
  text: string;
}

let toasts: readonly Toast[] = [];
let shownSoFar = 0;
/** Renders the toasts, if the page shows any. */
let render = (_: readonly Toast[]): void => {};
/** Where the focus was before it moved to a toast. */
let focusedBefore: EventTarget | null = null;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  render(next);
}

/** Shows a short message at the bottom of the page, whichever page that is. */
export const showToast = (text: string, options: ToastOptions = {}): void =>
  setToasts([...toasts, { ...options, text, id: `toast-${++shownSoFar}` }]);

const hasFocus = ({ id }: Toast): boolean => document.getElementById(id)?.contains(document.activeElement) ?? false;

function giveFocusBack(): void {
  const isThere = focusedBefore instanceof HTMLElement && focusedBefore.isConnected;
  const target = isThere ? focusedBefore : document.querySelector('main h1');
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

function close(toast: Toast): void {
  if (hasFocus(toast)) giveFocusBack();
  setToasts(toasts.filter(({ id }) => id !== toast.id));
}

function end(toast: Toast): void {
  close(toast);
  toast.onEnd?.();
}

/** Ends all toasts at once, so that what waits for their end happens now. */
const endToasts = (): void => toasts.forEach(end);

/** Escape closes the focused toast, or the latest one without an action. It does not close a toast behind a dialog. */
function onEscape({ key, defaultPrevented }: KeyboardEvent): void {
  if (key !== 'Escape' || defaultPrevented || document.querySelector('dialog[open]')) return;
  const closed = toasts.find(hasFocus) ?? toasts.findLast(({ action }) => !action);
  if (closed) end(closed);
}

/** All toasts, the latest at the bottom. They come before the page's content, so that Shift+Tab from its heading reaches them. */
export function Toasts() {
  const [shown, setShown] = useState(toasts);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    render = setShown;
    setShown(toasts);
    addEventListener('pagehide', endToasts);
    document.addEventListener('keydown', onEscape);
    return () => {
      render = () => {};
      toasts = [];
      removeEventListener('pagehide', endToasts);
      document.removeEventListener('keydown', onEscape);
    };
  }, []);
  const enter = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && region.current?.contains(relatedTarget))) focusedBefore = relatedTarget;
  };
  return (
    <div class="toasts" role="status" aria-atomic="false" ref={region} onFocusIn={enter}>
      {shown.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function Message({ toast }: { toast: Toast }) {
  const { id, text, action, isProblem = false, seconds = isProblem ? Number.POSITIVE_INFINITY : SECONDS } = toast;
  const [left, setLeft] = useState(seconds);
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const region = message.current!.parentElement!;
    // The time of all toasts stands still, so that no button moves or disappears when the visitor is about to push it.
    const isHeld = () => region.matches(':hover') || region.contains(document.activeElement);
    const timer = setInterval(() => isHeld() || setLeft((last) => last - 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left <= 0) end(toast);
  }, [left]);
  const act = () => {
    close(toast);
    action?.run();
  };
  return (
    <div id={id} class={`toast ${isProblem ? 'bad' : ''}`} ref={message}>
      <p dir="auto" id={`${id}-text`}>
        {text}
      </p>
      {action ? (
        <button type="button" class="small" aria-describedby={`${id}-text`} onClick={act}>
          {action.label} <span aria-hidden="true">({left})</span>
        </button>
      ) : (
        <button type="button" class="remove" aria-label="Dismiss" onClick={() => end(toast)}>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
}
