import type { Context } from 'hono';
import type { NoBidDetails, NoBidReason } from '../platform/values/outcomes.ts';
import type { ApiError } from './errors.ts';
import type { Verified } from './owner.ts';
import type { Timings } from './timings.ts';

/** What a runtime knows about a request in addition to the request itself. */
export interface Caller {
  requestId: string;
  /** The caller's full IP address. */
  sourceIp: string;
  /** The user that an authorizer in front of the service has verified. */
  verified?: Verified;
  /** Keeps a request alive for work that outlives its response. Present only in runtimes that end a request with its response. */
  waitUntil?(work: Promise<unknown>): void;
}

/** Counts a no-bid for the dashboard and the key's report. */
export type NoBid = (reason: NoBidReason, details?: NoBidDetails) => void;

/** What X-Debug shows in addition to the request ID. */
interface DebugInfo {
  timingsMs?: Record<string, number>;
  [name: string]: unknown;
}

/** What every app gets from its runtime, and what the middleware sets for handlers. */
export interface AppEnv {
  Bindings: Caller;
  Variables: {
    /** When the request arrived, epoch milliseconds. */
    startedAt: number;
    /** When the response must be sent, epoch milliseconds; Infinity without a deadline. */
    deadline: number;
    timings: Timings;
    /** Whether the timeout response was chosen. No other response is sent then. */
    isTimedOut(): boolean;
    /** Creates the timeout response. Every call returns the same one. */
    answerTimeout(): Promise<Response>;
    /** Whether the whole body was read. A body that is too large is not read to its end. */
    isBodyRead?: boolean;
    /** Why the body could not be decompressed. */
    bodyFault?: ApiError;
    /** Whether a rate limit has counted the request. If not, the rate headers would describe no real window. */
    isCounted?: boolean;
    debug?: DebugInfo;
    /** Fields of the body that the operation ignores. */
    ignored: string[];
    noBid?: NoBid;
  };
}

export type AppContext = Context<AppEnv>;

/** The part of a context that helpers read. Contexts with more variables can also be passed. */
export type RequestContext = Pick<AppContext, 'req' | 'env' | 'var' | 'header'>;

export type OwnerEnv = AppEnv & { Variables: { owner: string } };
