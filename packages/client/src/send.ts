import { startDeadline } from './deadline.ts';
import { AdsError, networkFault, refusalOf } from './error.ts';
import type { OutgoingRequest } from './request.ts';
import { mayTryAgain, pause, pauseBefore } from './retry.ts';

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
}

/** A success, read to its end. */
export interface ReadResponse {
  response: Response;
  text: string;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/** The body of a deletion whose own response was lost. */
const DELETED = JSON.stringify({ message: 'Deleted by an attempt whose response was lost' });

/** Whether the service says that a thing is not there; a 404 of a gateway, or of a wrong address, says nothing of it. */
const isGone = ({ status, message }: AdsError): boolean =>
  status === 404 && /^(API key|Campaign|Webhook) not found$/.test(message);

/** A function that sends a request, and sends it again where that is safe, within its time. */
export function sender({ fetch: given, random = Math.random, ...usual }: SendSettings) {
  // Some runtimes want fetch to be called as what it is: a function of the global object.
  const send: typeof fetch = given ?? ((input, init) => fetch(input, init));

  /**
   * @param mayBeDone whether an earlier attempt may have been carried out
   * @throws AdsError, or the reason of the signal
   */
  async function attempt(
    { url, ...request }: OutgoingRequest,
    signal: AbortSignal,
    mayBeDone: boolean,
  ): Promise<ReadResponse> {
    try {
      // A click leads on to the advertiser; what it answers is that it does.
      const response = await send(url, { ...request, redirect: 'manual', signal });
      const text = await response.text();
      if (response.status < 400) return { response, text };
      const refusal = refusalOf(response, text);
      if (mayBeDone && request.method === 'DELETE' && isGone(refusal)) return { response, text: DELETED };
      throw refusal;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof AdsError ? error : networkFault(error);
    }
  }

  /** @param repeatable whether the request may be sent again when nobody knows if it was carried out */
  return async (
    request: OutgoingRequest,
    repeatable: boolean,
    { signal, ...own }: SendOptions,
  ): Promise<ReadResponse> => {
    const timeoutMs = own.timeoutMs ?? usual.timeoutMs ?? TIMEOUT_MS;
    const retries = own.retries ?? usual.retries ?? RETRIES;
    const deadline = startDeadline(timeoutMs, signal);
    try {
      deadline.signal.throwIfAborted();
      let mayBeDone = false;
      for (let failed = 0; ; ) {
        try {
          return await attempt(request, deadline.signal, mayBeDone);
        } catch (error) {
          if (!(error instanceof AdsError) || !mayTryAgain(error, repeatable) || ++failed > retries) throw error;
          const waitMs = pauseBefore(failed, error, random);
          // Do not wait for an attempt that would come too late.
          if (waitMs >= deadline.left()) throw error;
          await pause(waitMs, deadline.signal);
          mayBeDone ||= error.code !== 'rate_limited';
        }
      }
    } finally {
      deadline.clear();
    }
  };
}
