import type { Register } from '../../keys/sliding-window.ts';
import type { QueueName } from '../../platform/queues.ts';
import type { TableName } from '../../platform/tables.ts';

/** The areas of the API; each has its own words for the same refusals (api 1.2). */
export type Area = 'ssp' | 'legacy' | 'management' | 'open' | 'trusted-match';

/** What a function does to a table; each verb is one action that its role grants. */
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
 * Who may call, and how often. A limit that no middleware would enforce does not compile. `key`: X-API-Key; `any-key`: a key in any of
 * the legacy API's three places; `owner`: x-user-id.
 */
type Access =
  | { credential: 'none'; limit?: never }
  | { credential: 'owner' | 'any-key'; limit: PerMinute }
  | { credential: 'key'; limit: PerSecond };

/** What a function is given to run with. */
export interface Sizing {
  /** At least 256. Lambda gives processor time in proportion to memory, and starting is all processor. */
  memoryMb: number;
  /** When Lambda itself ends it: generous, so that callers get an answer of ours and not the gateway's error. */
  timeoutSeconds: number;
}

interface EndpointRow extends Sizing {
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE')[];
  /** As API Gateway writes it; null answers whatever no other row does. */
  path: string | null;
  area: Area;
  /**
   * Milliseconds after which the operation times out, a little less than its callers wait. Store calls are retried until then.
   * Operations without store calls have no deadline.
   */
  deadlineMs?: number;
  /** Headers of every answer, refusals too. */
  headers?: Readonly<Record<string, string>>;
  /** Fields of the answer that cannot be set: a whole object that is sent back has them, and they are not named as ignored. */
  readOnly?: readonly string[];
  /** A create or rotation that an Idempotency-Key makes repeatable. */
  idempotent?: true;
  /** What the operation itself does to tables; its credential and its limit add theirs. */
  tables: Grants;
  /** It asks for second opinions where JUDGE is on; what else it does to tables then. */
  judge?: Grants;
  summary: string;
}

/** One operation over HTTP. Its name is the path of its file in functions/ and of its fixture in events/. */
export type Endpoint = EndpointRow & Access;

/** An operation that one kind of credential may call. */
export type EndpointFor<C extends Endpoint['credential']> = Endpoint & { credential: C };

/** What wakes a function that no request calls: a table's stream, a queue, or the time of day. */
export type Source =
  | StreamSource
  | { queue: QueueName }
  | { /** As EventBridge writes it, in UTC. */ schedule: string };

export interface StreamSource {
  stream: TableName;
  /**
   * Which records wake it, as patterns of Lambda's event filtering: any one is enough, none means all. They only save
   * invocations; the function itself passes over what does not concern it.
   */
  filters?: readonly object[];
  /** Maximum records per invocation; 100 by default. */
  batch?: number;
  /** How long Lambda gathers records into one batch; 0 by default. */
  gatherSeconds?: number;
  /** One batch of a shard at a time, in windows of so many seconds: only then does a batch say which shard it is of. */
  windowSeconds?: number;
  /** Concurrent batches per shard, 1 by default. The changes of one item stay in order. */
  parallel?: number;
}

/** One function that runs after the fact. */
export interface WorkerRow extends Sizing {
  sources: readonly Source[];
  tables: Grants;
  /** Queues that it sends to. */
  queues: readonly QueueName[];
  /** Table grants that a worker needs only for the judge. Without JUDGE nothing invokes it; a delay raises no alarm. */
  judge?: Grants;
  summary: string;
}

export const DEFAULT_SIZING = { memoryMb: 512, timeoutSeconds: 15 } as const satisfies Sizing;
/** For operations that a conversation or a user waits for. */
export const FAST_START_SIZING = { memoryMb: 1024, timeoutSeconds: 15 } as const satisfies Sizing;
/** For work that no caller waits for and that may process every campaign. */
export const BATCH = { memoryMb: 512, timeoutSeconds: 300 } as const satisfies Sizing;

/** What every management operation has in common (api 1.3 and 1.4). */
export const MANAGEMENT = {
  ...DEFAULT_SIZING,
  area: 'management',
  credential: 'owner',
  limit: { max: 100, group: 'management' },
  deadlineMs: 10_000,
} as const;

/** What the context of an ad is read from: the settings of the key, and the conversation. */
export const CONTEXT_READS = { 'key-settings': ['get'], conversations: ['get', 'put'] } as const;

/** What came of the day before, and why requests had no bid, are written to the key's days. */
export const COUNTED_REQUEST = { 'key-days': ['update'] } as const;
