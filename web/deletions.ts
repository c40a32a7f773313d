import { useEffect, useState } from 'preact/hooks';
import { AdsError } from '../packages/client/src/index.ts';
import { isRefusal, isTrouble, toProblem } from './errors.ts';
import { showToast } from './parts/toasts.tsx';

/** How long the visitor can undo a deletion. */
const UNDO_SECONDS = 10;
/** Pauses before further attempts, unless the service says how long to wait. */
const RETRY_SECONDS = [10, 20, 40, 60];

/** Puts a thing back into use. Resolves to what the visitor should know about its state. */
type Restore = () => Promise<string | null>;

/** A campaign, a key, or a webhook. */
export interface Deletable {
  id: string;
  name: string;
  /** Takes it out of use until it is deleted. Resolves to null if it was not in use. */
  stop(): Promise<Restore | null>;
  remove(): Promise<unknown>;
  /** The state after `stop`. */
  stopped: 'paused' | 'turned off';
  /** What happens at once, before the deletion. */
  effect?: string;
}

export interface Deletions {
  /** Whether a thing is deleted, or will be unless the visitor undoes it. */
  has(id: string): boolean;
  /** Stops and hides a thing, offers Undo, and deletes it when the time is over. Resolves to whether it is hidden. */
  start(thing: Deletable): Promise<boolean>;
  /** Calls `call` when a thing is hidden or is back. Returns a function that stops it. */
  watch(call: (isBack: boolean) => void): () => void;
}

const isGone = (error: unknown): boolean => error instanceof AdsError && error.status === 404;
/** The banner counts down the seconds after a refusal. */
const explain = (error: unknown): string =>
  isRefusal(error) ? 'Too many requests. Try again in a moment.' : toProblem(error).replace(/[^.]$/, '$&.');

/** The deletions of a session. Until a deletion is final, its thing only does not serve: if the page crashes, nothing is lost. */
export function createDeletions(): Deletions {
  const hidden = new Set<string>();
  const watchers = new Set<(isBack: boolean) => void>();
  const hide = (id: string) => {
    hidden.add(id);
    for (const call of watchers) call(false);
  };
  const show = (id: string) => {
    hidden.delete(id);
    for (const call of watchers) call(true);
  };

  function offerUndo(text: string, seconds: number, thing: Deletable, restore: Restore | null, failures: number): void {
    showToast(text, {
      seconds,
      action: { label: 'Undo', run: () => undo(thing, restore) },
      // When the visitor leaves the desk, the request has to start before the page is gone.
      onEnd: () => remove(thing, restore, failures),
    });
  }

  async function remove(thing: Deletable, restore: Restore | null, failures: number): Promise<void> {
    const { id, name, stopped } = thing;
    try {
      await thing.remove();
    } catch (error) {
      if (isGone(error)) return;
      const pause = RETRY_SECONDS[failures];
      if (pause !== undefined && (isRefusal(error) || isTrouble(error))) {
        const reason = isRefusal(error) ? 'Too many requests.' : 'The service did not respond.';
        const seconds = isRefusal(error) ? error.retryAfter || pause : pause;
        offerUndo(`${reason} ${name} will be deleted soon.`, seconds, thing, restore, failures + 1);
        return;
      }
      show(id);
      const state = restore ? ` It is ${stopped}.` : '';
      showToast(`${name} was not deleted. ${explain(error)}${state}`, { isProblem: true });
    }
  }

  async function undo({ id, name, stopped }: Deletable, restore: Restore | null): Promise<void> {
    try {
      const state = await restore?.();
      showToast(state ? `${name} restored. ${state}` : `${name} restored`);
    } catch (error) {
      if (isGone(error)) return showToast(`${name} could not be restored. It is already deleted.`, { isProblem: true });
      showToast(`${name} was not deleted, but it is still ${stopped}. ${explain(error)}`, { isProblem: true });
    }
    show(id);
  }

  return {
    has: (id) => hidden.has(id),
    async start(thing) {
      const { id, name, stopped, effect } = thing;
      try {
        const restore = await thing.stop();
        offerUndo(`${name} deleted${effect ? `. ${effect}` : ''}`, UNDO_SECONDS, thing, restore, 0);
      } catch (error) {
        if (!isGone(error)) {
          const reason = isTrouble(error) ? `The service did not respond. It may be ${stopped} now.` : explain(error);
          showToast(`${name} was not deleted. ${reason}`, { isProblem: true });
          return false;
        }
        showToast(`${name} was already deleted`);
      }
      hide(id);
      return true;
    },
    watch(call) {
      watchers.add(call);
      return () => watchers.delete(call);
    },
  };
}

/** Returns whether a thing in a list is deleted. @param again reloads the list, when a thing is back */
export function useDeleted(deletions: Deletions, again: () => Promise<void>): Deletions['has'] {
  const [, setChanges] = useState(0);
  useEffect(
    () =>
      deletions.watch((isBack) => {
        setChanges((count) => count + 1);
        if (isBack) again();
      }),
    [deletions, again],
  );
  return deletions.has;
}

/** Whether a thing was already deleted when its page opened. The page where the visitor deletes it stays until the list has loaded. */
export function useWasDeleted(deletions: Deletions, id: string, again: () => Promise<void>): boolean {
  const isDeleted = useDeleted(deletions, again);
  const [wasDeleted] = useState(isDeleted(id));
  return wasDeleted && isDeleted(id);
}
