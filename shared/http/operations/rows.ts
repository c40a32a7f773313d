import type { Register } from '../../keys/sliding-window.ts';
import type { QueueName } from '../../platform/queues.ts';
import type { TableName } from '../../platform/tables.ts';

/** The areas of the API. Each words the same errors differently (api 1.2). */
export type Area = 'ssp' | 'legacy' | 'management' | 'open' | 'trusted-match';

/** An action of a function on a table; the function's role is granted it. */
export type Verb = 'get' | 'getAll' | 'query' | 'put' | 'update' | 'remove' | 'check';
export type Grants = { readonly [T in TableName]?: readonly Verb[] };

/** At most `max` requests per minute, counted over all operations of the group. */
type PerMinute = { max: number; group: string };
/**
 * A sliding second on the key's own item (`register`), or a fixed second that all exchange operations share; its `max` is the default of
 * EXCHANGE_REQUESTS_PER_SECOND.
 */
type PerSecond = { max: number; register: Register } | { max: number; second: 'exchange' };

/**
 * Who may call, and how often. A limit without enforcing middleware does not compile. `key`: X-API-Key; `any-key`: a key in any of the
 * legacy API's three places; `owner`: x-user-id.
 */
type Access =
  | { credential: 'none'; limit?: never }
  | { credential: 'owner' | 'any-key'; limit: PerMinute }
  | { credential: 'key'; limit: PerSecond };

/** Memory and timeout of a function. */
export interface Sizing {
  /** At least 256. Lambda assigns CPU in proportion to memory, and a cold start is limited by CPU. */
  memoryMb: number;
  /** When Lambda ends the invocation. Longer than any deadline, so that callers get our own error and not the gateway's. */
  timeoutSeconds: number;
}

interface EndpointRow extends Sizing {
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE')[];
  /** The path in API Gateway's syntax. null answers every request that matches no other row. */
  path: string | null;
  area: Area;
  /**
   * Milliseconds after which the operation times out, a little less than its callers wait. Store calls are retried until then.
   * Operations without store calls have no deadline.
   */
  deadlineMs?: number;
  /** Headers of every response, errors included. */
  headers?: Readonly<Record<string, string>>;
  /** Response fields that cannot be set. Clients that send a whole object back include them, so they are not reported as ignored. */
  readOnly?: readonly string[];
  /** Whether the operation accepts an Idempotency-Key. */
  idempotent?: true;
  /** What the operation itself does with tables. Its credential and its limit add their own grants. */
  tables: Grants;
  /** Set if the operation asks for second opinions while JUDGE is on. Contains the additional grants for that case. */
  judge?: Grants;
  summary: string;
}

/** One operation over HTTP. Its name is the path of its file in functions/ and of its fixture in events/. */
export type Endpoint = EndpointRow & Access;

/** An operation that one kind of credential may call. */
export type EndpointFor<C extends Endpoint['credential']> = Endpoint & { credential: C };

/** What invokes a worker: a table's stream, a queue, or a schedule. */
export type Source =
  | StreamSource
  | { queue: QueueName }
  | { /** A schedule expression of EventBridge, in UTC. */ schedule: string };

export interface StreamSource {
  stream: TableName;
  /**
   * Patterns of Lambda's event filtering. A record must match at least one; without patterns, all records match. They only save
   * invocations: the function itself skips the records that it does not need.
   */
  filters?: readonly object[];
  /** Maximum records per invocation; 100 by default. */
  batch?: number;
  /** How long Lambda collects records for one batch; 0 by default. */
  gatherSeconds?: number;
  /** Length of the tumbling window. Only with a window does a batch name its shard. Lambda then processes one batch of a shard at a time. */
  windowSeconds?: number;
  /** Concurrent batches per shard, 1 by default. The changes of one item stay in order. */
  parallel?: number;
}

/** A function that a stream, a queue, or a schedule invokes. */
export interface WorkerRow extends Sizing {
  sources: readonly Source[];
  tables: Grants;
  /** Queues that it sends to. */
  queues: readonly QueueName[];
  /** Table grants that a worker needs only for the judge. Without JUDGE, nothing invokes the worker; delays raise no alarm. */
  judge?: Grants;
  summary: string;
}

export const DEFAULT_SIZING = { memoryMb: 512, timeoutSeconds: 15 } as const satisfies Sizing;
/** For operations that a conversation or a user waits for. */
export const FAST_START_SIZING = { memoryMb: 1024, timeoutSeconds: 15 } as const satisfies Sizing;
/** For work that no caller waits for and that may process every campaign. */
export const BATCH = { memoryMb: 512, timeoutSeconds: 300 } as const satisfies Sizing;

/** Shared by all management operations (api 1.3 and 1.4). */
export const MANAGEMENT = {
  ...DEFAULT_SIZING,
  area: 'management',
  credential: 'owner',
  limit: { max: 100, group: 'management' },
  deadlineMs: 10_000,
} as const;

/** Reports that read more than one campaign or key: a limit of their own, so that a dashboard does not use up the management operations'. */
export const REPORTS = { ...MANAGEMENT, limit: { max: 300, group: 'reports' } } as const;

/** Grants of operations that read the context of an ad: the settings of the key, the conversation, and the secret of both's hashes. */
export const CONTEXT_READS = { 'key-settings': ['get'], conversations: ['get', 'put'] } as const;

/** Grants of operations that count their results in the key's days. */
export const COUNTED_REQUEST = { 'key-days': ['update'] } as const;
