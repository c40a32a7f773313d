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

/** And a bid that was issued: reports count those. */
const BIDS_AND_FACTS = [{ eventName: ['INSERT'], dynamodb: { NewImage: { mode: { S: ['live'] } } } }, ...BID_FACTS];

/** Facts that are stored once and never change, but for marks. */
const INSERTS = [{ eventName: ['INSERT'] }];

/** Items that were written, and not those that the store dropped. */
const WRITTEN = [{ eventName: ['INSERT', 'MODIFY'] }];

/** Campaigns themselves, and not what stands beside them in their table. */
const SAVED_CAMPAIGNS = [{ dynamodb: { Keys: { item: { S: [{ prefix: 'campaign#' }] } } } }];

/** The table of functions that run after the fact. */
export const workers = {
  'events/count': {
    // What a second adds to a campaign is one write, and what it adds to all keys is another. One batch of a shard at a time, which says which shard it is of: a row keeps its place in it.
    ...DEFAULT_SIZING,
    sources: [
      { stream: 'bids', filters: BIDS_AND_FACTS, batch: 1_000, gatherSeconds: 1, windowSeconds: 900 },
      { stream: 'conversions', filters: INSERTS, gatherSeconds: 1, windowSeconds: 900 },
    ],
    tables: {
      bids: ['update'],
      conversions: ['update'],
      ledgers: ['update', 'getAll'],
      campaigns: ['getAll', 'put'],
      'key-tallies': ['update'],
      'key-days': ['update', 'put'],
    },
    queues: ['parked'],
    summary: 'Count bids, clicks and conversions from the streams, and tell bidding of what was spent',
  },
  'events/count-keys': {
    ...BATCH,
    // What half a minute adds to a key is one write, from however many shards of bids it comes.
    sources: [{ stream: 'key-tallies', filters: WRITTEN, batch: 10_000, gatherSeconds: 30, windowSeconds: 900 }],
    tables: { 'key-days': ['update', 'put'] },
    queues: ['parked'],
    summary: 'Add what was counted of keys to the days of their reports',
  },
  'events/fan-out': {
    ...DEFAULT_SIZING,
    // The facts of a second share a run, the reads of webhooks, and requests to the queue. A batch takes two calls one after the other,
    // so two at once are more than a shard can bring.
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
    tables: { webhooks: ['query'], ledgers: ['getAll'], campaigns: ['get'] },
    queues: ['parked', 'deliveries'],
    summary: 'Turn stored facts into events, one message for each receiver',
  },
  'events/deliver': {
    ...DEFAULT_SIZING,
    sources: [{ queue: 'deliveries' }],
    tables: { webhooks: ['get', 'update'], deliveries: ['get', 'getAll', 'put', 'update'], limits: ['update'] },
    queues: ['dead', 'deliveries'],
    summary: 'Post events to their receivers, and again after each failure',
  },
  'events/suggest-phrases': {
    ...BATCH,
    sources: [{ stream: 'campaigns', filters: SAVED_CAMPAIGNS }],
    tables: { campaigns: ['get', 'put', 'check'] },
    queues: [],
    judge: {},
    summary: 'Have a language model suggest phrases for a campaign that was saved',
  },
  'schedules/start-day': {
    ...BATCH,
    sources: [{ schedule: 'cron(0 * * * ? *)' }],
    tables: { campaigns: ['query', 'update', 'put'], ledgers: ['getAll', 'update', 'put'] },
    queues: [],
    summary:
      'End the pauses of the day before, complete campaigns whose end date has passed, review creatives that the rules and weights of today have not reviewed, close budgets of days before',
  },
  'schedules/write-snapshot': {
    ...BATCH,
    sources: [{ schedule: 'cron(0/5 * * * ? *)' }],
    tables: { campaigns: ['query'], snapshots: ['get', 'put'] },
    queues: [],
    summary: 'Keep a snapshot of the campaigns from which a new instance learns them soon',
  },
  'schedules/bill-day': {
    ...BATCH,
    sources: [{ schedule: 'cron(10 0-4,8,12,18 * * ? *)' }],
    tables: { campaigns: ['query'], ledgers: ['getAll'], statements: ['getAll', 'put'] },
    queues: [],
    summary: 'Write a statement of the day before for each user who spent',
  },
} as const satisfies Record<string, WorkerRow>;

export type WorkerName = keyof typeof workers;

/** The workers whose rows name the stream of a table. */
type WorkerOn<T extends StreamTable> = {
  [N in WorkerName]: T extends Extract<(typeof workers)[N]['sources'][number], { stream: string }>['stream']
    ? N
    : never;
}[WorkerName];

/** Whom each stream wakes. A table that gets a stream does not compile until it is here, nor its workers until they have a handler for it. */
export const wokenBy = {
  bids: ['events/count', 'events/fan-out'],
  'key-tallies': ['events/count-keys'],
  campaigns: ['events/fan-out', 'events/suggest-phrases'],
  conversions: ['events/count', 'events/fan-out'],
  statements: ['events/fan-out'],
  deliveries: ['events/fan-out'],
} as const satisfies { readonly [T in StreamTable]: readonly [WorkerOn<T>, ...WorkerOn<T>[]] };

/** The row of a worker as the wide type that loops want. */
export const workerRow = (name: WorkerName): WorkerRow => workers[name];
export const workerNames = getKeys(workers);

export const isWorker = (name: string): name is WorkerName => workerNames.some((worker) => worker === name);
