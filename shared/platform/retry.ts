import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Clock } from './clock.ts';
import { OutOfTime, withTimeout } from './deadlines.ts';
import type { Ids } from './ids.ts';
import { Unavailable, WrongSetup } from './unavailable.ts';
import { toError } from './values/typed.ts';

/** Time limit of one operation with all its attempts. An earlier deadline of the caller wins. */
const MAX_OPERATION_MS = 2_000;
/**
 * DynamoDB answers within milliseconds. An attempt takes at most this or a quarter of the time left, whichever is less, so that more can
 * follow.
 */
const MAX_ATTEMPT_MS = 500;
/** A shorter attempt would only fail. */
const MIN_ATTEMPT_MS = 25;
const FIRST_PAUSE_MS = 8;
/** After a conflict, the other transaction has succeeded, so a retry soon works. A throttled store needs time to recover. */
const MAX_PAUSE_MS: Record<Fault, number> = { conflict: 250, busy: 1_000, network: 1_000 };

interface RetryOptions {
  clock: Pick<Clock, 'now' | 'sleep' | 'timer' | 'deadline'>;
  ids: Pick<Ids, 'random'>;
  closeIdleConnections: () => void;
}

/**
 * Runs one store operation until it is answered. The SDK makes one attempt at a time, because its own retries ignore the deadline and
 * conflicts. Pauses have full jitter: random below a doubling limit ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015). *
 * @param attempt sends the request. It is aborted when its time is up, because a dead connection may never fail by itself.
 * @throws OutOfTime at the caller's deadline, Unavailable at the limit of an operation, WrongSetup and unexpected errors at once
 */
export function createRetry({ clock, ids, closeIdleConnections }: RetryOptions) {
  return async function retry<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const requested = clock.deadline();
    const deadline = Math.min(requested, clock.now() + MAX_OPERATION_MS);
    const Expired = deadline === requested ? OutOfTime : Unavailable;
    let [pause, pauseLimit, networkFaults] = [0, FIRST_PAUSE_MS, 0];
    let cause: unknown;
    for (;;) {
      const left = deadline - clock.now() - pause;
      if (left < MIN_ATTEMPT_MS) throw new Expired('the store cannot answer in time', { cause });
      if (pause > 0) await clock.sleep(pause);
      // The last attempt may have been too short to open a connection; equally short ones would never open any.
      const ms = cause instanceof AttemptTimeout ? left / 2 : Math.min(MAX_ATTEMPT_MS, left / 4);
      const controller = new AbortController();
      const onTimeout = async () => {
        controller.abort();
        throw new AttemptTimeout(`no answer within ${Math.round(ms)} ms`);
      };
      try {
        return await withTimeout(clock, ms, () => attempt(controller.signal), onTimeout);
      } catch (error) {
        const fault = getFault(error);
        if (!fault) throw toWrongSetup(error) ?? error;
        cause = error;
        pauseLimit = Math.min(MAX_PAUSE_MS[fault], pauseLimit * 2);
        pause = ids.random() * pauseLimit;
        if (fault !== 'network') continue;
        // After a freeze, all connections of an instance are dead: after one failure, try none of the others.
        closeIdleConnections();
        if (networkFaults++ === 0) pause = 0; // A new connection is likely to work.
      }
    }
  };
}

/** An attempt that was aborted because its time was up. */
class AttemptTimeout extends Error {}

/** A batch read left keys out because the store had no capacity for them. */
export class UnprocessedKeys extends Error {}

/** Why a request failed that may succeed a moment later. */
type Fault = 'conflict' | 'busy' | 'network';

const CONFLICT = /^Transaction(Conflict|InProgress)Exception$/;

const BUSY =
  /^(Throttling(Exception)?|ThrottlingError|ProvisionedThroughputExceeded(Exception)?|RequestLimitExceeded|LimitExceededException)$/;

/** Codes of the operating system (ECONNRESET, EAI_AGAIN), but not those of Node's own checks (ERR_INVALID_CHAR). */
const NETWORK = /^E(?!RR_)[A-Z_]+$/;

type Failure = Error & { $fault?: string; $metadata?: { httpStatusCode?: number }; code?: string; retryable?: boolean };

/** The fault behind an error; undefined if a retry cannot help: an answer (a failed condition) or a mistake (a malformed expression). */
export function getFault(error: unknown): Fault | undefined {
  if (error instanceof TransactionCanceledException) return getCancellationFault(error);
  if (error instanceof AttemptTimeout) return 'network';
  if (error instanceof UnprocessedKeys) return 'busy';
  if (!(error instanceof Error)) return undefined;
  const { name, $fault, $metadata, code = '', retryable }: Failure = error;
  if (CONFLICT.test(name)) return 'conflict';
  // Outside of Node, a lost connection may have no code and only be marked as retryable.
  if (NETWORK.test(code) || name === 'TimeoutError' || retryable) return 'network';
  if (BUSY.test(name) || $fault === 'server') return 'busy';
  // A proxy's error page has only a status. An error with status 200 is an unreadable answer, which DynamoDB never sends.
  const status = $metadata?.httpStatusCode ?? 0;
  return status === 200 || status >= 500 ? 'busy' : undefined;
}

/** A failed condition is an answer, even next to a conflict. */
function getCancellationFault({ CancellationReasons = [] }: TransactionCanceledException): Fault | undefined {
  const codes = CancellationReasons.map(({ Code = '' }) => Code);
  if (codes.includes('ConditionalCheckFailed')) return undefined;
  if (codes.includes('TransactionConflict')) return 'conflict';
  return codes.some((code) => BUSY.test(code)) ? 'busy' : undefined;
}

/** Errors that last until an operator acts, and what the operator should look at. */
const WRONG_SETUP: readonly [name: RegExp, message: string][] = [
  [/Client|Signature|Token|Credentials/, 'the store rejects the access key'],
  [/AccessDenied/, 'the store does not grant this call: see the policy'],
  [/^ResourceNotFound/, 'the store has no such table: see the region and the prefix'],
];

function toWrongSetup(error: unknown): WrongSetup | undefined {
  const { name, message, $metadata }: Failure = toError(error);
  const advice =
    WRONG_SETUP.find(([names]) => names.test(name))?.[1] ??
    // DynamoDB itself never returns these statuses.
    (/^(3\d\d|40[137])$/.test(`${$metadata?.httpStatusCode}`) && 'another server answers in place of the store');
  // The message for a wrong signature continues with the signed headers, including a session token: keep it out of the log.
  return advice ? new WrongSetup(advice, { cause: `${name}: ${message.split('\n')[0]}` }) : undefined;
}
