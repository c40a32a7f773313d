import type { Effects } from '../platform/effects.ts';

/** Where everything goes that is not answered here: the service in its region. */
export interface Origin extends Pick<Effects, 'clock' | 'log'> {
  url: string;
}

/** A request as Cloudflare hands it to a Worker: with what its caller takes, in the place of which its header says what the network does. */
interface Incoming extends Request {
  cf?: { clientAcceptEncoding?: string };
}

export interface Passing {
  /** How long its first byte is waited for. */
  limitMs: number;
  /** What is answered from then on, where that is something else than without an origin. */
  late?(): Promise<Response>;
  /** Whether another can answer in its place: then its own errors are no answer either. */
  isReplaced?: boolean;
}

/**
 * The origin's answer to a request, passed on as it came and streamed both ways; undefined when there is none.
 * @param requestId what an answer in its place is named
 */
export async function passOn(
  request: Request,
  { url, clock, log }: Origin,
  { limitMs, late, isReplaced = false, requestId }: Passing & { requestId: string },
): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  // Joined as texts: a path that begins with two slashes would name another host, who would be sent the credentials.
  const there = new Request(`${url}${pathname}${search}`, request);
  // The network asks for compressed answers of its own accord, and would hand them to who did not.
  const { cf, headers } = request as Incoming;
  there.headers.set('accept-encoding', (cf?.clientAcceptEncoding ?? headers.get('accept-encoding')) || 'identity');
  const timeout = new AbortController();
  const cancel = clock.timer(limitMs, () => timeout.abort(new Error(`no answer within ${limitMs} ms`)));
  const startedAt = clock.now();
  try {
    const answer = await fetch(there, { redirect: 'manual', signal: timeout.signal });
    if (answer.status < 500 || (isOwn(answer) && (!isReplaced || hasNoAds(answer)))) return answer;
    log.warn('the origin does not answer', {
      requestId,
      cause: `status ${answer.status}`,
      ms: clock.now() - startedAt,
    });
    await answer.body?.cancel().catch(() => {});
    return undefined;
  } catch (error) {
    log.warn('the origin does not answer', { requestId, cause: String(error), ms: clock.now() - startedAt });
    return timeout.signal.aborted ? late?.() : undefined;
  } finally {
    cancel(); // what comes after the first byte may take its time
  }
}

/** Whether the service itself said so: what stands before it (Cloudflare, API Gateway) answers for one that is gone, without this header. */
const isOwn = ({ headers }: Response): boolean => headers.has('x-request-id');

/** Whether it is the 503 of an older request that nobody advertises for; one that can be tried again says when. */
const hasNoAds = ({ status, headers }: Response): boolean => status === 503 && !headers.has('retry-after');
