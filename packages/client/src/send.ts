import { startDeadline } from './deadline.ts';
import { AdsError, networkFault, toRefusal } from './error.ts';
import { createLogger, type Log, type LogEntry } from './log.ts';
import type { OutgoingRequest } from './request.ts';
import { mayTryAgain, pause, pauseBefore } from './retry.ts';

interface SendSettings {
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  fetch?: typeof fetch;
  log?: Log | undefined;
  random?: () => number;
}

interface SendOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
}

/** A successful response with its text. */
export interface ReadResponse {
  response: Response;
  text: string;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/** The result of a deletion whose own response was lost. */
const DELETED = JSON.stringify({ message: 'Deleted by an attempt whose response was lost' });

/** Whether the service itself reports that the resource does not exist. A 404 from a gateway or for a wrong URL does not count. */
const isGone = ({ status, message }: AdsError): boolean =>
  status === 404 && /^(API key|Campaign|Webhook) not found$/.test(message);

/** Creates a function that sends a request and, where a retry is safe, sends it again until the timeout. */
export function createSender({ fetch: customFetch, log, random = Math.random, ...defaults }: SendSettings) {
  const report = createLogger(log);
  // Some runtimes reject fetch called as another object's method.
  const send: typeof fetch = customFetch ?? ((input, init) => fetch(input, init));

  /**
   * @param mayBeDone whether an earlier attempt may have taken effect
   * @throws AdsError, or the reason of the signal
   */
  async function attempt(
    { url, route: _, ...request }: OutgoingRequest,
    signal: AbortSignal,
    mayBeDone: boolean,
  ): Promise<ReadResponse> {
    try {
      // A click responds with a redirect to the advertiser: return it instead of following it.
      const response = await send(url, { ...request, redirect: 'manual', signal });
      const text = await response.text();
      if (response.status < 400) return { response, text };
      const refusal = toRefusal(response, text);
      if (mayBeDone && request.method === 'DELETE' && isGone(refusal)) return { response, text: DELETED };
      throw refusal;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof AdsError ? error : networkFault(error);
    }
  }

  /** Milliseconds until the next attempt; null if a retry is unsafe, useless, or too late. @param attempts attempts so far */
  function planRetry(error: AdsError, attempts: number, retries: number, repeatable: boolean, leftMs: number) {
    if (!mayTryAgain(error, repeatable) || attempts > retries) return null;
    const waitMs = Math.round(pauseBefore(attempts, error, random));
    // Fail now if the next attempt would start after the deadline.
    return waitMs < leftMs ? waitMs : null;
  }

  /** @param repeatable whether a retry is safe even if an earlier attempt may have taken effect */
  return async (
    request: OutgoingRequest,
    repeatable: boolean,
    { signal, ...own }: SendOptions,
  ): Promise<ReadResponse> => {
    const timeoutMs = own.timeoutMs ?? defaults.timeoutMs ?? TIMEOUT_MS;
    const retries = own.retries ?? defaults.retries ?? RETRIES;
    const deadline = startDeadline(timeoutMs, signal);
    try {
      deadline.signal.throwIfAborted();
      let mayBeDone = false;
      for (let attempts = 1; ; attempts++) {
        const startedAt = performance.now();
        const reportAttempt = (outcome: Omit<LogEntry, 'route' | 'attempt' | 'ms'>) =>
          void report({
            route: request.route,
            attempt: attempts,
            ms: Math.round(performance.now() - startedAt),
            ...outcome,
          });
        try {
          const answer = await attempt(request, deadline.signal, mayBeDone);
          const { status, headers } = answer.response;
          reportAttempt({ status, code: null, requestId: headers.get('x-request-id'), retryInMs: null });
          return answer;
        } catch (error) {
          if (!(error instanceof AdsError)) {
            reportAttempt({ status: 0, code: 'aborted', requestId: null, retryInMs: null });
            throw error;
          }
          const retryInMs = planRetry(error, attempts, retries, repeatable, deadline.left());
          reportAttempt({ status: error.status, code: error.code, requestId: error.requestId, retryInMs });
          if (retryInMs === null) throw error;
          await pause(retryInMs, deadline.signal);
          mayBeDone ||= error.code !== 'rate_limited';
        }
      }
    } finally {
      deadline.clear();
    }
  };
}
