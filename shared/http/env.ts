import type { Context } from 'hono';
import type { NoBidReason } from '../platform/values/outcomes.ts';
import type { Verified } from './owner.ts';
import type { Timings } from './timings.ts';

/** What a runtime knows of a request besides the request itself. */
export interface Caller {
  requestId: string;
  /** The caller's whole address. */
  sourceIp: string;
  /** Whom an authorizer in front of the service has verified. */
  verified?: Verified;
  /** Keeps a request alive for work that outlives its response. Only runtimes that end a request with its response have it. */
  waitUntil?(work: Promise<unknown>): void;
}

/** Counts a no-bid, for the operators' graphs and the key's report. @param asked how many ads the request asked for, 1 by default */
export type NoBid = (reason: NoBidReason, asked?: number) => void;

/** What X-Debug shows besides the request id. */
interface DebugInfo {
  timingsMs?: Record<string, number>;
  [name: string]: unknown;
}

/** What every app runs with, and what its middleware sets for the handlers. */
export interface AppEnv {
  Bindings: Caller;
  Variables: {
    /** When the request came, epoch milliseconds. */
    startedAt: number;
    /** When the response must be sent, epoch milliseconds; Infinity without a deadline. */
    deadline: number;
    timings: Timings;
    /** Whether the timeout response was chosen. No other response is sent then. */
    isTimedOut(): boolean;
    /** Creates the timeout response. Every call returns the same one. */
    answerTimeout(): Promise<Response>;
    /** Whether the whole body has come. One that is too large is not read to its end. */
    isBodyRead?: boolean;
    /** Whether a rate limit has counted the request, so that its headers describe a real window. */
    isCounted?: boolean;
    debug?: DebugInfo;
    /** Fields of the body that nothing reads. */
    ignored: string[];
    noBid?: NoBid;
  };
}

export type AppContext = Context<AppEnv>;

/** The part of a context that helpers read. A handler's own context, whose variables are more, fits it. */
export type RequestContext = Pick<AppContext, 'req' | 'env' | 'var' | 'header'>;

export type OwnerEnv = AppEnv & { Variables: { owner: string } };
