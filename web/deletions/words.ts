import { isRefusal, isTrouble, toProblem } from '../errors.ts';
import type { Deletable } from './deletable.ts';

/** The banner counts down the seconds after a refusal. */
const explain = (error: unknown): string =>
  isRefusal(error) ? 'Too many requests. Try again in a moment.' : toProblem(error).replace(/[^.]$/, '$&.');

const whyLater = (error: unknown): string => (isRefusal(error) ? 'Too many requests.' : 'The service did not respond.');

/** What the visitor reads about a deletion. */
export const WORDS = {
  deleted: ({ name, effect }: Deletable) => `${name} deleted${effect ? `. ${effect}` : ''}`,
  alreadyDeleted: ({ name }: Deletable) => `${name} was already deleted`,
  notStopped({ name, stopped }: Deletable, error: unknown) {
    const reason = isTrouble(error) ? `The service did not respond. It may be ${stopped} now.` : explain(error);
    return `${name} was not deleted. ${reason}`;
  },
  retrying: ({ name }: Deletable, error: unknown) => `${whyLater(error)} Retrying the deletion of ${name}.`,
  notDeleted({ name, stopped }: Deletable, error: unknown, isStopped: boolean) {
    return `${name} was not deleted. ${explain(error)}${isStopped ? ` It is ${stopped}.` : ''}`;
  },
  restored: ({ name }: Deletable, state: string | null | undefined) =>
    state ? `${name} restored. ${state}` : `${name} restored`,
  restoring: ({ name }: Deletable, error: unknown) => `${whyLater(error)} Restoring ${name}…`,
  goneBefore: ({ name }: Deletable) => `${name} could not be restored. It is already deleted.`,
  notRestored: ({ name, stopped }: Deletable, error: unknown) =>
    `${name} was not deleted, but it is still ${stopped}. ${explain(error)}`,
};
