import { startDeadline } from './deadline.ts';
import { AdsError, networkFault, refusalOf } from './error.ts';
import type { OutgoingRequest } from './request.ts';
import { isPassing, isRepeatable, pause, pauseBefore } from './retry.ts';

interface SendSettings {
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  fetch?: typeof fetch;
  random?: () => number;
}

interface SendOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  idempotencyKey?: string;
}

/** A success, read to its end. */
export interface ReadResponse {
  response: Response;
  text: string;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/** A function that sends a request, and again where that is safe, within its time. */
export function sender({ fetch: given, random = Math.random, ...usual }: SendSettings) {
  // Some runtimes want fetch to be called as what it is: a function of the global object.
  const send: typeof fetch = given ?? ((input, init) => fetch(input, init));

  /** @throws AdsError, or the reason of the signal */
  async function attempt({ url, ...request }: OutgoingRequest, signal: AbortSignal): Promise<ReadResponse> {
    try {
      // A click leads on to the advertiser; what it answers is that it does.
      const response = await send(url, { ...request, redirect: 'manual', signal });
      const text = await response.text();
      if (response.status >= 400) throw refusalOf(response, text);
      return { response, text };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof AdsError ? error : networkFault(error);
    }
  }

  return async (request: OutgoingRequest, { signal, idempotencyKey, ...own }: SendOptions): Promise<ReadResponse> => {
    const timeoutMs = own.timeoutMs ?? usual.timeoutMs ?? TIMEOUT_MS;
    const retries = own.retries ?? usual.retries ?? RETRIES;
    const attempts = isRepeatable(request.method, idempotencyKey) ? 1 + retries : 1;
    const headers = { ...request.headers, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) };
    const deadline = startDeadline(timeoutMs, signal);
    try {
      deadline.signal.throwIfAborted();
      for (let failed = 0; ; ) {
        try {
          return await attempt({ ...request, headers }, deadline.signal);
        } catch (error) {
          if (!(error instanceof AdsError) || !isPassing(error) || ++failed >= attempts) throw error;
          const waitMs = pauseBefore(failed, error, random);
          // Nobody waits for what would come too late.
          if (waitMs >= deadline.left()) throw error;
          await pause(waitMs, deadline.signal);
        }
      }
    } finally {
      deadline.clear();
    }
  };
}
