import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Why a call of the store failed where the same call may go through a moment later. */
export type DatabaseFault = 'conflict' | 'busy' | 'reset' | 'unreachable';

/** An attempt that was given up for its time. */
export class AttemptTimeout extends Error {}

/** Some keys of a read were left out: the store had no room for them now. */
export class Unprocessed extends Error {}

const BUSY =
  /^(Throttling(Exception)?|ThrottlingError|ProvisionedThroughputExceeded(Exception)?|RequestLimitExceeded|LimitExceededException)$/;

/** What Node says of a connection that the other side has closed, of one kept for long in particular. */
const RESET = /^(ECONNRESET|EPIPE)$/;

/** Codes of the operating system (ECONNREFUSED, EAI_AGAIN …), not those of Node's own checks (ERR_…). */
const NETWORK = /^E(?!RR_)[A-Z_]+$/;

/**
 * Tells what passes: another transaction on the same item, throttling, a fault of the service, a connection that failed. Everything
 * else (a failed condition, a malformed expression, a missing grant) is an answer or a mistake of our own, which no retry changes.
 */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  if (error instanceof TransactionCanceledException) return faultOfParts(error);
  if (error instanceof AttemptTimeout) return 'unreachable';
  if (error instanceof Unprocessed) return 'busy';
  if (!(error instanceof Error)) return undefined;
  const { name, $fault, $metadata, code = '' }: Failure = error;
  if (name === 'TransactionConflictException' || name === 'TransactionInProgressException') return 'conflict';
  if (RESET.test(code)) return 'reset';
  if (NETWORK.test(code) || name === 'TimeoutError') return 'unreachable';
  // Answers that no model of the SDK describes, a proxy's for one, say it by their status alone.
  if (BUSY.test(name) || $fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500) return 'busy';
  return undefined;
}

type Failure = Error & { $fault?: string; $metadata?: { httpStatusCode?: number }; code?: string };

/** A condition that failed beside what passes is an answer all the same. */
function faultOfParts({ CancellationReasons = [] }: TransactionCanceledException): DatabaseFault | undefined {
  const codes = CancellationReasons.map(({ Code = '' }) => Code);
  if (codes.includes('ConditionalCheckFailed')) return undefined;
  if (codes.includes('TransactionConflict')) return 'conflict';
  return codes.some((code) => BUSY.test(code)) ? 'busy' : undefined;
}
