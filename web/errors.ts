import { AdsError } from '../packages/client/src/index.ts';

/** Whether the service itself is in trouble, so that nothing the visitor changes would help. The banner says so for the whole page. */
export const isTrouble = (error: unknown): boolean =>
  !(error instanceof AdsError) || error.status === 0 || error.status >= 500;

/**
 * What the API says went wrong, with what it says about each field.
 * @param changes whether the request changes anything: without an answer nobody knows whether it did
 */
export function problemOf(error: unknown, changes = false): string {
  if (isTrouble(error) || !(error instanceof AdsError))
    return changes
      ? 'The service did not respond. Your change may have been saved. Check before you try again.'
      : 'The service did not respond. Try again in a moment.';
  return [...new Set([error.message, ...error.details.map(({ message }) => message)])].join('. ');
}

/** What is wrong with fields, by their path. */
export type Faults = Readonly<Record<string, string>>;

/** Of several faults of one field the first is shown. A fault of an entry of a list is shown at the list. */
export const faultsOf = (details: readonly { path: string; message: string }[]): Faults =>
  Object.fromEntries(details.map(({ path, message }) => [path.replace(/\.\d+(\..*)?$/, ''), message]).toReversed());
