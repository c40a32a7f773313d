import type { TargetedPointerEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Toast, Toasts } from '../toasts.ts';

const hasFocus = ({ id }: Toast): boolean => document.getElementById(id)?.contains(document.activeElement) ?? false;

/** All toasts, the latest at the bottom. They come before the page's content, so that Shift+Tab from its heading reaches them. */
export function ToastRegion({ toasts }: { toasts: Toasts }) {
  const [shown, setShown] = useState(toasts.all());
  /** Where the focus was before it moved to a toast. */
  const focusedBefore = useRef<EventTarget | null>(null);

  const giveFocusBack = (toast: Toast) => {
    if (!hasFocus(toast)) return;
    const { current } = focusedBefore;
    const target = current instanceof HTMLElement && current.isConnected ? current : document.querySelector('main h1');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
  const dismiss = (toast: Toast) => {
    giveFocusBack(toast);
    toasts.end(toast);
  };
  const act = (toast: Toast) => {
    giveFocusBack(toast);
    toasts.close(toast);
    toast.action?.run();
  };

  useEffect(() => {
    const show = () => setShown(toasts.all());
    /** Escape closes the focused toast, or the latest one without an action. It does not close a toast behind a dialog. */
    const onEscape = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || document.querySelector('dialog[open]')) return;
      const closed = toasts.all().find(hasFocus) ?? toasts.all().findLast(({ action }) => !action);
      if (closed) dismiss(closed);
    };
    show();
    const stop = toasts.watch(show);
    addEventListener('pagehide', toasts.endAll);
    document.addEventListener('keydown', onEscape);
    return () => {
      stop();
      removeEventListener('pagehide', toasts.endAll);
      document.removeEventListener('keydown', onEscape);
    };
  }, [toasts]);

  const enter = ({ currentTarget, relatedTarget }: FocusEvent) => {
    toasts.hold('focus', true);
    const isInside =
      relatedTarget instanceof Node && currentTarget instanceof Node && currentTarget.contains(relatedTarget);
    if (!isInside) focusedBefore.current = relatedTarget;
  };
  // A finger does not hover: after a tap, no event would end it.
  const point = ({ type, pointerType }: TargetedPointerEvent<HTMLElement>) =>
    toasts.hold('pointer', type === 'pointerover' && pointerType !== 'touch');
  return (
    <div
      class="toasts"
      role="status"
      aria-atomic="false"
      onFocusIn={enter}
      onFocusOut={() => toasts.hold('focus', false)}
      onPointerOver={point}
      onPointerOut={point}
    >
      {shown.map((toast) => (
        <Message key={toast.id} toast={toast} onAct={act} onDismiss={dismiss} />
      ))}
    </div>
  );
}

interface MessageProps {
  toast: Toast;
  onAct(toast: Toast): void;
  onDismiss(toast: Toast): void;
}

const Message = ({ toast, onAct, onDismiss }: MessageProps) => {
  const { id, text, action, isProblem, secondsLeft } = toast;
  return (
    <div id={id} class={`toast ${isProblem ? 'bad' : ''}`}>
      <p dir="auto" id={`${id}-text`}>
        {text}
      </p>
      {action ? (
        <button type="button" class="small" aria-describedby={`${id}-text`} onClick={() => onAct(toast)}>
          {action.label} <span aria-hidden="true">({secondsLeft})</span>
        </button>
      ) : (
        <button type="button" class="remove" aria-label="Dismiss" onClick={() => onDismiss(toast)}>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
};
