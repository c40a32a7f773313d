import type { StreamTable } from '../../platform/tables.ts';
import { getKeys } from '../../platform/values/typed.ts';
import { BATCH, DEFAULT_SIZING, type WorkerRow } from './rows.ts';

/** Bids that became served, and clicks not marked as counted. Issued bids and the marks themselves invoke no function. */
const BID_FACTS = [
  { dynamodb: { NewImage: { state: { S: ['served'] } }, OldImage: { state: { S: ['issued'] } } } },
  {
    dynamodb: {
      NewImage: { click: { M: { at: { N: [{ exists: true }] } } }, clickCounted: { BOOL: [{ exists: false }] } },
    },
  },
];

/** Also issued bids and the reports of readers: they are counted, but send no event. */
const BIDS_AND_FACTS = [
  { eventName: ['INSERT'], dynamodb: { NewImage: { mode: { S: ['live'] } } } },
  ...BID_FACTS,
  {
    dynamodb: {
      NewImage: { notRelevant: { BOOL: [true] } },
      OldImage: { notRelevant: { BOOL: [{ exists: false }] } },
    },
  },
  {
    dynamodb: {
      NewImage: { viewable: { BOOL: [true] } },
      OldImage: { viewable: { BOOL: [{ exists: false }] } },
    },
  },
];

/** For records that never change after the insert, except for marks. */
const INSERTS = [{ eventName: ['INSERT'] }];

/** Writes, without the deletions by TTL. */
const WRITTEN = [{ eventName: ['INSERT', 'MODIFY'] }];

/** Only campaigns, without the other items of their table. */
const SAVED_CAMPAIGNS = [{ dynamodb: { Keys: { item: { S: [{ prefix: 'campaign#' }] } } } }];

/** The table of workers: functions that streams, queues, or schedules invoke. */
export const workers = {
  'events/count': {
    // One second of records becomes one write per campaign, and one for all keys. With a window, Lambda processes one batch of a shard at a
    // time and names the shard, which `countOnce` needs.
    ...DEFAULT_SIZING,
    sources: [
      { stream: 'bids', filters: BIDS_AND_FACTS, batch: 1_000, gatherSeconds: 1, windowSeconds: 900 },
      { stream: 'conversions', filters: INSERTS, gatherSeconds: 1, windowSeconds: 900 },
    ],
    tables: {
      bids: ['update'],
      conversions: ['update'],
      conversations: ['get', 'put'],
      ledgers: ['get', 'update', 'put', 'getAll'],
      campaigns: ['getAll', 'put'],
      'key-tallies': ['update'],
      'key-days': ['get', 'update', 'put'],
      'account-days': ['update'],
    },
    queues: ['parked'],
    summary: 'Count bids, clicks, and conversions from the streams, and update the spend stats that bidding uses',
  },
  'events/count-keys': {
    ...BATCH,
    memoryMb: 1769, // a whole processor: breakdowns add up several values for each bid
    // A minute of tallies, from all shards of bids, becomes one write per key, campaign, and page of their breakdowns.
    sources: [{ stream: 'key-tallies', filters: WRITTEN, batch: 10_000, gatherSeconds: 60, windowSeconds: 900 }],
    tables: {
      'key-days': ['get', 'update', 'put'],
      ledgers: ['get', 'update', 'put'],
      conversations: ['get', 'put'],
    },
    queues: ['parked'],
    summary: 'Add the counts of each key and campaign to the days of their reports',
  },
  'events/fan-out': {
    ...DEFAULT_SIZING,
    // The records of one second share an invocation, the reads of webhooks, and the requests to the queue. A batch takes two calls in a
    // row, so two batches at once are faster than a shard can deliver records.
    sources: [
      { stream: 'bids', filters: BID_FACTS, gatherSeconds: 1, parallel: 2 },
      { stream: 'campaigns', filters: SAVED_CAMPAIGNS, parallel: 2 },
      { stream: 'conversions', filters: INSERTS, gatherSeconds: 1, parallel: 2 },
      { stream: 'statements', filters: INSERTS, parallel: 2 },
      {
        stream: 'deliveries',
        filters: [{ dynamodb: { NewImage: { redeliveries: { N: [{ 'anything-but': ['0'] }] } } } }],
        parallel: 2,
      },
    ],
    tables: { webhooks: ['query'], ledgers: ['getAll'], campaigns: ['get'], activity: ['put'] },
    queues: ['parked', 'deliveries'],
    summary: 'Turn stored changes into events, queue one message per event and webhook, and record automatic pauses',
  },
  'events/deliver': {
    ...DEFAULT_SIZING,
    sources: [{ queue: 'deliveries' }],
    tables: {
      webhooks: ['get', 'update'],
      deliveries: ['get', 'getAll', 'put', 'update'],
      limits: ['update'],
      activity: ['put'],
    },
    queues: ['dead', 'deliveries'],
    summary: 'Post events to their receivers, and retry failed deliveries',
  },
  'events/suggest-phrases': {
    ...BATCH,
    sources: [{ stream: 'campaigns', filters: SAVED_CAMPAIGNS }],
    tables: { campaigns: ['get', 'put', 'check'] },
    queues: [],
    judge: {},
    summary: 'Ask a language model for phrases when a campaign is saved',
  },
  'schedules/start-day': {
    ...BATCH,
    sources: [{ schedule: 'cron(0 * * * ? *)' }],
    tables: { campaigns: ['query', 'update', 'put'], ledgers: ['getAll', 'update', 'put'] },
    queues: [],
    summary:
      'End the daily-budget pauses of the previous day, complete campaigns after their end date, review creatives again after a change of the rules or weights, and close the budgets of earlier days',
  },
  'schedules/write-snapshot': {
    ...BATCH,
    sources: [{ schedule: 'cron(0/5 * * * ? *)' }],
    tables: { campaigns: ['query'], snapshots: ['get', 'put'] },
    queues: [],
    summary: 'Store a snapshot of the campaigns, so that new instances load them quickly',
  },
  'schedules/bill-day': {
    ...BATCH,
    sources: [{ schedule: 'cron(10 0-4,8,12,18 * * ? *)' }],
    tables: {
      campaigns: ['query'],
      ledgers: ['getAll'],
      statements: ['getAll', 'put'],
      'account-days': ['getAll', 'update'],
    },
    queues: [],
    summary: 'Write a statement of the previous day for each user with spend, and the sums of each user',
  },
} as const satisfies Record<string, WorkerRow>;

export type WorkerName = keyof typeof workers;

/** The workers whose rows name the stream of a table. */
type WorkerOn<T extends StreamTable> = {
  [N in WorkerName]: T extends Extract<(typeof workers)[N]['sources'][number], { stream: string }>['stream']
    ? N
    : never;
}[WorkerName];

/** The workers of each stream. A new stream does not compile until it is listed here and its workers have a handler for it. */
export const wokenBy = {
  bids: ['events/count', 'events/fan-out'],
  'key-tallies': ['events/count-keys'],
  campaigns: ['events/fan-out', 'events/suggest-phrases'],
  conversions: ['events/count', 'events/fan-out'],
  statements: ['events/fan-out'],
  deliveries: ['events/fan-out'],
} as const satisfies { readonly [T in StreamTable]: readonly [WorkerOn<T>, ...WorkerOn<T>[]] };

/** The row of a worker, with the wide type that loops need. */
export const workerRow = (name: WorkerName): WorkerRow => workers[name];
export const workerNames = getKeys(workers);

export const isWorker = (name: string): name is WorkerName => workerNames.some((worker) => worker === name);
