import { useEffect, useState } from 'preact/hooks';
import type { Deletions } from './deletions.ts';

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
