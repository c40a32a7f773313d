import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { errorOf } from '../values/typed.ts';
import { WrongSetup } from './unavailable.ts';

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
 * else (a failed condition, a malformed expression, a rejected access key) is an answer or a mistake, which no retry changes.
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

/** What the store says to a service that is set up wrongly, and what an operator has to see to. */
const REFUSALS: readonly [name: RegExp, toSee: string][] = [
  [/Client|Signature|Token|Credentials/, 'the store rejects the access key'],
  [/AccessDenied/, 'the store does not grant this call: see the policy'],
  [/^ResourceNotFound/, 'the store has no such table: see the region and the prefix'],
];

/** A call that the store refuses because the service is set up wrongly; undefined for any other failure. */
export function wrongSetupOf(error: unknown): WrongSetup | undefined {
  const { name, message, $metadata }: Failure = errorOf(error);
  const toSee =
    REFUSALS.find(([names]) => names.test(name))?.[1] ??
    // The store itself answers with none of these.
    (/^(3\d\d|40[137])$/.test(`${$metadata?.httpStatusCode}`) && 'another server answers in place of the store');
  // Of a signature that is wrong the lines that follow have headers, a session's token among them.
  return toSee ? new WrongSetup(toSee, { cause: `${name}: ${message.split('\n')[0]}` }) : undefined;
}

type Failure = Error & { $fault?: string; $metadata?: { httpStatusCode?: number }; code?: string };

/** A condition that failed beside what passes is an answer all the same. */
function faultOfParts({ CancellationReasons = [] }: TransactionCanceledException): DatabaseFault | undefined {
  const codes = CancellationReasons.map(({ Code = '' }) => Code);
  if (codes.includes('ConditionalCheckFailed')) return undefined;
  if (codes.includes('TransactionConflict')) return 'conflict';
  return codes.some((code) => BUSY.test(code)) ? 'busy' : undefined;
}
