import { createMiddleware } from 'hono/factory';
import type { Clock } from '../platform/clock.ts';
import { OutOfTime, withTimeout } from '../platform/deadlines.ts';
import type { Effects } from '../platform/effects.ts';
import { Unavailable } from '../platform/unavailable.ts';
import type { AppContext, AppEnv } from './env.ts';
import { unavailable } from './errors.ts';
import type { EndpointName } from './operations/endpoints.ts';
import type { Timings } from './timings.ts';

/*
 * What happens to a late request:
 *
 * 1. `answerDeadline` runs the handler with the deadline of its row (operations/endpoints/) and a timer (`runUntil`).
 * 2. Store calls read the deadline from async context (platform/deadlines.ts). They stop retrying when too little time is left, and
 *    throw `OutOfTime` (platform/retry.ts).
 * 3. If neither a response nor an error arrives in time, the timer throws `OutOfTime`. The handler keeps running, so a started charge
 *    still completes, but its response is dropped.
 * 4. The app's error handler (app.ts) asks `isTimeout`. If it is a timeout, it sends `answerTimeout`: the response of `onTimeout`, or 503.
 * 5. `answerTimeout` logs `late` with the pending calls, and X-Debug shows them too (`pendingMs`).
 */

/** Creates the response of a request whose deadline has passed. @throws ApiError */
export type OnTimeout = (c: AppContext) => Promise<Response>;

const refuse: OnTimeout = () => Promise.reject(unavailable());

/** Ends a request after `deadlineMs`. `hono/timeout` is not used because it always uses the system clock, which tests cannot move. */
export const answerDeadline = (
  { clock, log }: Pick<Effects, 'clock' | 'log'>,
  operation: EndpointName,
  deadlineMs = Number.POSITIVE_INFINITY,
  onTimeout = refuse,
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { timings } = c.var;
    const endsAt = clock.now() + deadlineMs;
    let answer: Promise<Response> | undefined;

    async function answerTimeout(): Promise<Response> {
      if (c.var.deadline === endsAt) {
        const cause = c.error?.cause === undefined ? undefined : String(c.error.cause);
        const { requestId } = c.env;
        const waitingFor = timings.waitingFor();
        log.warn('late', { requestId, operation, deadlineMs, cause, waitingFor, timingsMs: timings.phases() });
      }
      return onTimeout(c);
    }

    c.set('deadline', endsAt);
    c.set('isTimedOut', () => answer !== undefined);
    c.set('answerTimeout', () => (answer ??= answerTimeout()));
    await clock.noting(timings.calls, () => clock.within(endsAt, () => runUntil(clock, endsAt, handle)));

    function handle(): Promise<void> {
      const handling = next();
      c.env.waitUntil?.(handling); // After a timeout, a started charge still completes.
      return handling;
    }
  });

/** Whether an error is a timeout. After the deadline, every error is. Before it, only errors caused by a lack of time are. */
export const isTimeout = (error: Error, { var: { isTimedOut, deadline } }: AppContext, now: number): boolean =>
  isTimedOut() || (error instanceof Unavailable && (error instanceof OutOfTime || now >= deadline));

/** Runs the rest of a request until `moment` and ignores its result afterwards. @throws OutOfTime at `moment` */
export function runUntil(
  clock: Pick<Clock, 'now' | 'timer'>,
  moment: number,
  rest: () => Promise<void>,
): Promise<void> {
  if (moment === Number.POSITIVE_INFINITY) return rest();
  const expire = () => Promise.reject(new OutOfTime('the answer should have left'));
  const leftMs = moment - clock.now();
  return leftMs > 0 ? withTimeout(clock, leftMs, rest, expire) : expire();
}

/** The pending calls as members of `timingsMs`, such as `pending write api-keys`. For calls with the same name, the longest one. */
export const pendingMs = (timings: Timings): Record<string, number> =>
  Object.fromEntries(
    timings
      .waitingFor()
      .reverse()
      .map(({ call, table, ms }) => [['pending', call, table].filter(Boolean).join(' '), ms]),
  );
