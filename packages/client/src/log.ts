import type { ErrorCode } from './error.ts';

/** One attempt of a call. Contains no key, no body, no query, and no ID of a path. */
export interface LogEntry {
  /** Method and path template of the operation: `GET /api/v1/ssp/ad/{bidId}`. */
  route: string;
  /** 1 for the first attempt of a call. */
  attempt: number;
  /** HTTP status; 0 if no response arrived. */
  status: number;
  /** Null if the service responded without an error, even if the call then finds no JSON (`unreadable`). `aborted`: the caller's signal ended it. */
  code: ErrorCode | 'aborted' | null;
  /** Duration of the attempt, in milliseconds. */
  ms: number;
  /** The service's ID of the request; null if no response arrived. */
  requestId: string | null;
  /** Milliseconds until the next attempt; null if there is none. */
  retryInMs: number | null;
}

export type Log = (entry: LogEntry) => unknown;

/** Wraps a caller's log. If it fails, immediately or as a promise, the call goes on. */
export const createLogger =
  (log: Log | undefined) =>
  async (entry: LogEntry): Promise<void> => {
    try {
      await log?.(entry);
    } catch {
      // There is nowhere to report this.
    }
  };
