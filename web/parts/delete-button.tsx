import { useLocation } from 'preact-iso/router';
import type { Deletable } from '../deletions/deletable.ts';
import { useSession } from '../session.ts';
import { useAct } from './live.ts';

/** Deletes a thing, with Undo, and returns to its list. @param list the list's URL */
export function DeleteButton({ thing, list }: { thing: Deletable; list: string }) {
  const { deletions } = useSession();
  const { path, route } = useLocation();
  const { isBusy, act } = useAct();
  const remove = () =>
    act(async () => {
      const isHidden = await deletions.start(thing);
      // The visitor may have opened another page meanwhile.
      if (isHidden && location.pathname === path) route(list);
    });
  return (
    <button type="button" class="danger quiet" aria-disabled={isBusy} onClick={remove}>
      Delete
    </button>
  );
}
