import { AdsError } from '../packages/client/src/index.ts';

/** Whether the service itself failed, so that no change of input would help. The banner reports it for the whole page. */
export const isTrouble = (error: unknown): boolean =>
  !(error instanceof AdsError) || error.status === 0 || error.status >= 500;

/** Whether the visitor has made too many requests. The banner counts down until the service accepts more. */
export const isRefusal = (error: unknown): error is AdsError => error instanceof AdsError && error.status === 429;

/** What an action reports: a message, or the refusal of the service, whose message counts down. */
export type Failure = string | AdsError;

/**
 * Converts an error, including field messages, to a message for the visitor.
 * @param changes whether the request changes anything: without a response, the change may or may not have been saved
 */
export function toProblem(error: unknown, changes = false): string {
  if (isTrouble(error) || !(error instanceof AdsError))
    return changes
      ? 'The service did not respond. Your change may have been saved. Check before you try again.'
      : 'The service did not respond. Try again in a moment.';
  return [...new Set([error.message, ...error.details.map(({ message }) => message)])].join('. ');
}

/** Error messages by field path. */
export type Faults = Readonly<Record<string, string>>;

/** Keeps the first error of each field. An error in a list entry belongs to the list. */
export const toFaults = (details: readonly { path: string; message: string }[]): Faults =>
  Object.fromEntries(details.map(({ path, message }) => [path.replace(/\.\d+(\..*)?$/, ''), message]).toReversed());

/** The label without its unit: "Bid floor (USD)" is "Bid floor". */
const toSubject = (label: string): string => label.replace(/ \(.*\)$/, '');

/** An error message of the API in the words of the form: with the field's label instead of its name in the API. */
export const toFormWords = (message: string, label: string): string =>
  message
    .replace(/^(?:API key name|\S+)(?= (?:must|is) )/, toSubject(label))
    .replace(
      / must also have (at most \S+ characters) when normalized.*/,
      ' must have $1. Some, such as ﷺ, count as several.',
    )
    .replace(/[\p{L}\p{N}]$/u, '$&.');
