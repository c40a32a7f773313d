import { useEffect, useState } from 'preact/hooks';
import { AdsError } from '../../packages/client/src/index.ts';
import { isRefusal, isTrouble } from '../errors.ts';
import type { Health } from '../health.ts';
import type { Toasts } from '../toasts.ts';
import { createWatchers } from '../watchers.ts';
import type { Deletable, Restore } from './deletable.ts';
import { createHidden } from './hidden.ts';
import { WORDS } from './words.ts';

/** How long the visitor can undo a deletion. */
const UNDO_SECONDS = 10;
/** Pauses before further attempts, unless the service says how long to wait. */
const RETRY_SECONDS = [10, 20, 40, 60];

export interface Deletions {
  /** Whether an item is deleted, or will be unless the visitor undoes it. */
  has(id: string): boolean;
  /** Stops and hides an item, offers Undo, and deletes it when the time is over. Resolves to whether it is hidden. */
  start(item: Deletable): Promise<boolean>;
  /** Calls `call` when an item is hidden or is back. Returns a function that stops it. */
  watch(call: (isBack: boolean) => void): () => void;
}

const isGone = (error: unknown): boolean => error instanceof AdsError && error.status === 404;

/** The deletions of a session. Until a deletion is final, the item is only stopped, so a crash loses nothing. */
export function createDeletions(health: Health, toasts: Toasts): Deletions {
  const hidden = createHidden();
  const { tell, watch } = createWatchers<[isBack: boolean]>();
  const hide = (id: string) => {
    hidden.add(id);
    tell(false);
  };
  const show = (id: string) => {
    hidden.delete(id);
    tell(true);
  };
  const reportProblem = (text: string) => toasts.show(text, { isProblem: true });

  /** The pause before the next attempt. Null if another attempt would not help. */
  function getRetrySeconds(error: unknown, failures: number): number | null {
    const pause = RETRY_SECONDS[failures];
    if (pause === undefined || !(isRefusal(error) || isTrouble(error))) return null;
    return Math.ceil(health.refusedMs() / 1_000) || pause;
  }

  function offerUndo(text: string, seconds: number, item: Deletable, restore: Restore | null, failures: number): void {
    toasts.show(text, {
      seconds,
      action: { label: 'Undo', run: () => undo(item, restore, 0) },
      // When the visitor leaves the desk, the request has to start before the page is gone.
      onEnd: () => remove(item, restore, failures),
    });
  }

  async function remove(item: Deletable, restore: Restore | null, failures: number): Promise<void> {
    hidden.add(item.id);
    try {
      await item.remove();
    } catch (error) {
      if (isGone(error)) return;
      const seconds = getRetrySeconds(error, failures);
      if (seconds !== null) return offerUndo(WORDS.retrying(item, error), seconds, item, restore, failures + 1);
      show(item.id);
      reportProblem(WORDS.notDeleted(item, error, restore !== null));
    }
  }

  async function undo(item: Deletable, restore: Restore | null, failures: number): Promise<void> {
    try {
      const state = await restore?.();
      toasts.show(WORDS.restored(item, state));
    } catch (error) {
      if (isGone(error)) return reportProblem(WORDS.goneBefore(item));
      const seconds = getRetrySeconds(error, failures);
      if (seconds === null) reportProblem(WORDS.notRestored(item, error));
      else toasts.show(WORDS.restoring(item, error), { seconds, onEnd: () => undo(item, restore, failures + 1) });
    }
    show(item.id);
  }

  return {
    has: hidden.has,
    async start(item) {
      try {
        const restore = await item.stop();
        offerUndo(WORDS.deleted(item), UNDO_SECONDS, item, restore, 0);
      } catch (error) {
        if (!isGone(error)) {
          reportProblem(WORDS.notStopped(item, error));
          return false;
        }
        toasts.show(WORDS.alreadyDeleted(item));
      }
      hide(item.id);
      return true;
    },
    watch,
  };
}

/** Returns whether an item of a list is deleted. @param again reloads the list, when an item is back */
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

/** Whether an item was already deleted when its page opened. The page where the visitor deletes it stays until the list has loaded. */
export function useWasDeleted(deletions: Deletions, id: string, again: () => Promise<void>): boolean {
  const isDeleted = useDeleted(deletions, again);
  const [wasDeleted] = useState(isDeleted(id));
  return wasDeleted && isDeleted(id);
}
