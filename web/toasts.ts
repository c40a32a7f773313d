import { createWatchers } from './watchers.ts';

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

/** A short message. */
export interface Toast extends ToastOptions {
  id: string;
  text: string;
  secondsLeft: number;
}

/** What keeps the toasts in their places: the keyboard focus or the pointer. */
type Holder = 'focus' | 'pointer';

/** The short messages of the desk. They count down whether or not a page shows them. */
export interface Toasts {
  /** Shows a message at the bottom of the page, whichever page that is. */
  show(text: string, options?: ToastOptions): void;
  /** The latest is last. */
  all(): readonly Toast[];
  /** Removes a toast without `onEnd`. */
  close(toast: Toast): void;
  end(toast: Toast): void;
  /** On pagehide: runs every pending `onEnd`, such as deletions. */
  endAll(): void;
  /** While anything holds them, the time of all toasts stands still, so that no button moves when the visitor is about to push it. */
  hold(holder: Holder, isHeld: boolean): void;
  /** Calls `call` on each change. Returns a function that stops it. */
  watch(call: () => void): () => void;
}

export function createToasts(): Toasts {
  let toasts: readonly Toast[] = [];
  let shownSoFar = 0;
  const timers = new Map<string, number>();
  const holders = new Set<Holder>();
  const { tell, watch } = createWatchers();
  const isShown = ({ id }: Toast) => timers.has(id);

  function close(toast: Toast): void {
    clearInterval(timers.get(toast.id));
    timers.delete(toast.id);
    toasts = toasts.filter(isShown);
    // The browser does not report that the pointer has left what is removed.
    holders.delete('pointer');
    tell();
  }

  function end(toast: Toast): void {
    if (!isShown(toast)) return;
    close(toast);
    toast.onEnd?.();
  }

  function countDown(id: string): void {
    if (holders.size > 0) return;
    toasts = toasts.map((one) => (one.id === id ? { ...one, secondsLeft: one.secondsLeft - 1 } : one));
    tell();
    for (const toast of toasts) if (toast.secondsLeft <= 0) end(toast);
  }

  return {
    show(text, options = {}) {
      const id = `toast-${++shownSoFar}`;
      const { isProblem = false, seconds = isProblem ? Number.POSITIVE_INFINITY : SECONDS } = options;
      timers.set(
        id,
        window.setInterval(() => countDown(id), 1_000),
      );
      toasts = [...toasts, { ...options, id, text, secondsLeft: seconds }];
      tell();
    },
    all: () => toasts,
    close,
    end,
    endAll: () => toasts.forEach(end),
    hold(holder, isHeld) {
      if (isHeld) holders.add(holder);
      else holders.delete(holder);
    },
    watch,
  };
}
