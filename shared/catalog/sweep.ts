import { TOMBSTONE_MS } from '../campaigns/items.ts';
import type { Effects } from '../platform/effects.ts';
import type { NoteFailure } from './age.ts';
import type { CatalogEntries } from './entries.ts';
import { type ResumableRead, readIndex } from './read-all.ts';

/** How often everything is read again, as a net under the changes. */
const SWEEP_MS = TOMBSTONE_MS / 20;

/** Gives what reads everything again where it was last read long ago. Nobody waits for it; what interrupts it is gone on from by the next. */
export function createSweep(
  effects: Pick<Effects, 'db' | 'clock'>,
  entries: CatalogEntries,
  note: NoteFailure,
): (loadedAt: number) => Promise<void> {
  const { clock } = effects;
  let sweptAt = 0;
  let sweep: ResumableRead | undefined;
  let isRunning = false;

  return async (loadedAt) => {
    if (isRunning || clock.now() - Math.max(loadedAt, sweptAt) < SWEEP_MS) return;
    isRunning = true;
    sweep ??= readIndex(entries, effects);
    try {
      await sweep();
      sweep = undefined;
      sweptAt = clock.now();
    } catch (error) {
      note('the sweep was interrupted', error);
    }
    isRunning = false;
  };
}
