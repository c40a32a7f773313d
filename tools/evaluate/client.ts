import * as z from 'zod';
import type { AdStrictness } from '../../shared/matching/index.ts';
import { toError } from '../../shared/platform/values/typed.ts';
import { EvaluationError } from './options.ts';

const TIMEOUT_MS = 10_000;
/** Maximum attempts of a rate-limited request. */
const MAX_ATTEMPTS = 5;

const debug = z.object({
  campaignId: z.string().nullable(),
  candidates: z.array(z.object({ campaignId: z.string(), relevance: z.number(), outcome: z.string() })),
});
const bid = z.object({ bid: z.number(), bidId: z.string(), debug: debug.extend({ campaignId: z.string() }) });
const refusal = z.object({
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

export type DebugCandidate = z.output<typeof debug>['candidates'][number];

/** The result of a bid request: a response, a rejected request, or a failure of the service. */
export type BidResult =
  | { kind: 'answered'; campaignId: string | null; candidates: DebugCandidate[]; ms: number }
  | { kind: 'refused' | 'failed'; reason: string };

export type EvaluateClient = ReturnType<typeof createEvaluateClient>;

/** Resolves after this many milliseconds. */
export type Pause = (ms: number) => Promise<unknown>;

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  ms: number;
}

/**
 * Calls the service over HTTP, as publishers and advertisers do. Retries rate-limited requests after the delay that the service states. All
 * methods throw EvaluationError if the service cannot be reached.
 */
export function createEvaluateClient(baseUrl: string, pause: Pause) {
  let limited = 0;

  async function sendOnce(method: string, path: string, given: Record<string, string>, body: unknown): Promise<Reply> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? given : { ...given, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const startedAt = performance.now();
      const response = await fetch(baseUrl + path, { method, headers, signal, ...content });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, ms: performance.now() - startedAt };
    } catch (error) {
      throw new EvaluationError(`${baseUrl} cannot be reached: ${describeCause(error)}`);
    }
  }

  async function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await sendOnce(method, path, headers, body);
      if (reply.status !== 429 || tries === MAX_ATTEMPTS) return reply;
      limited++;
      await pause(1000 * (Number(reply.headers.get('retry-after')) || 1));
    }
  }

  async function manage<T>(method: string, path: string, user: string, body: unknown, shape: z.ZodType<T>): Promise<T> {
    const reply = await send(method, path, { 'x-user-id': user }, body);
    const result = shape.safeParse(parseJson(reply.text));
    if (reply.status >= 300 || !result.success) throw new ServiceError(`${method} ${path}`, reply);
    return result.data;
  }

  return {
    /** The number of requests that the rate limit has rejected. */
    limited: () => limited,

    /** @throws EvaluationError if the server is not the service */
    async health(): Promise<void> {
      const reply = await send('GET', '/api/v1/health', {});
      if (reply.status !== 200) throw new EvaluationError(`${baseUrl} is not the service: ${describeReply(reply)}`);
    },

    /** @throws ServiceError */
    createCampaign: (user: string, body: unknown): Promise<{ id: string }> =>
      manage('POST', '/api/v1/campaigns', user, body, z.object({ id: z.string() })),

    /** @throws ServiceError */
    async cancelCampaign(user: string, id: string): Promise<void> {
      await manage('PATCH', `/api/v1/campaigns/${id}`, user, { status: 'cancelled' }, z.object({ id: z.string() }));
    },

    /** @throws ServiceError */
    createKey: (user: string, name: string, adStrictness: AdStrictness): Promise<{ key: string }> =>
      manage('POST', '/api/v1/auth/api-keys', user, { name, adStrictness }, z.object({ key: z.string() })),

    /** Requests a bid with debug information. Never throws, because failures are counted too. */
    async bid(key: string, body: unknown): Promise<BidResult> {
      try {
        const reply = await send('POST', '/api/v1/ssp/bid', { 'x-api-key': key, 'x-debug': 'true' }, body);
        return readBid(reply);
      } catch (error) {
        return { kind: 'failed', reason: toError(error).message };
      }
    },
  };
}

/** The service rejected a request. The message contains its response. */
export class ServiceError extends EvaluationError {
  readonly status: number;

  constructor(request: string, reply: Reply) {
    super(`${request}: ${describeReply(reply)}`);
    this.status = reply.status;
  }
}

/** Parses a bid response with its X-Debug information, which is in the body, or in a header if the body is `null`. */
export function readBid(reply: Reply): BidResult {
  if (reply.status === 400 || reply.status === 413) return { kind: 'refused', reason: describeReply(reply) };
  const body = reply.status === 200 ? parseJson(reply.text) : undefined;
  if (body === undefined) return { kind: 'failed', reason: describeReply(reply) };
  const read =
    body === null ? debug.safeParse(parseJson(reply.headers.get('x-debug-info') ?? '')) : bid.safeParse(body);
  if (!read.success) return { kind: 'failed', reason: 'the response lacks the requested debug information' };
  const { campaignId, candidates } = 'debug' in read.data ? read.data.debug : read.data;
  return { kind: 'answered', campaignId, candidates, ms: reply.ms };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeReply({ status, text }: Reply): string {
  const { data } = refusal.safeParse(parseJson(text));
  if (!data) return `status ${status}`;
  const details = data.details.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return `status ${status}: ${details.length > 0 ? details.join('; ') : data.message}`;
}

/** `fetch` always says "fetch failed"; the cause has the reason. */
function describeCause(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
