import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { levelOf } from '../platform/unavailable.ts';

/** Bids are made from campaigns as they were so long ago at most, while the store gives nothing newer; or two refresh intervals. */
const MOST_AGE_MS = 60_000;

export type CatalogAge = ReturnType<typeof catalogAge>;

/** How old what an instance knows of the campaigns is. */
export function catalogAge(clock: Pick<Clock, 'now'>, refreshMs: number) {
  let firstAskedAt: number | undefined;
  /** No campaign among the entries is older than this. */
  let upTo: number | undefined;

  /** While nothing is known: how long it has been wanted. */
  const ms = (): number => clock.now() - (upTo ?? firstAskedAt!);

  return {
    ms,

    wantedSince(at: number): void {
      firstAskedAt ??= at;
    },

    isKnown: (): boolean => upTo !== undefined,

    knownUpTo(at: number): void {
      upTo = at;
    },

    isTooOld: (): boolean => upTo === undefined || ms() > Math.max(MOST_AGE_MS, 2 * refreshMs),
  };
}

export type NoteFailure = (message: string, error: unknown) => void;

/** Logs a failed read, which a later request tries again; what has to be mended is told as an error. */
export const failureNotes =
  (log: Log, age: CatalogAge): NoteFailure =>
  (message, error) => {
    log[levelOf(error)](message, { cause: String(error), ageMs: age.ms() });
  };
