import { getKeys } from './values/typed.ts';

/**
 * Describes a table. The cloud stack and the local stand-ins create their tables from the same descriptions, so they cannot differ.
 * Key and index attributes are strings, except those in `numbers`.
 */
export interface TableShape {
  /** Partition key and optional sort key. */
  key: readonly [string, string?];
  indexes?: Readonly<Record<string, readonly [string, string]>>;
  /** Indexes that contain only keys. A write that changes no key does not update such an index, and costs nothing extra. */
  keysOnly?: readonly string[];
  /** Key attributes that are numbers. */
  numbers?: readonly string[];
  /** The attribute with the epoch second after which the store may delete the item. Deletion can be late, so readers check expiry. */
  ttl?: string;
  /** Whether the table has a stream, and which images of the item its records contain. */
  stream?: 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE';
}

export const tables = {
  /** One item per key, with its usage and rate windows, so that one write authenticates, counts, and limits a request. */
  'api-keys': { key: ['id'], indexes: { byOwner: ['owner', 'createdAt'] }, keysOnly: ['byOwner'] },
  /** Settings and name of a key. They are separate, because requests write the item in `api-keys` and would pay for their size. */
  'key-settings': { key: ['id'] },
  /** Counts of a key on a UTC day, and marks of parked records that were counted later (`mark#…`). */
  'key-days': { key: ['keyId', 'day'], ttl: 'ttl' },
  /** Counts of the last batch of a shard of bids, for all keys. Each batch replaces the item; the stream contains them all. */
  'key-tallies': { key: ['shard'], ttl: 'ttl', stream: 'NEW_IMAGE' },
  /**
   * Configuration and status (`campaign#id`), creative versions (`creative#id#version`), suggested phrases (`phrases#id`), spend stats for
   * bidding (`funds#id`), reserved names (`name#…`), and the number of campaigns of a user (`#count`). Balances are in `ledgers`.
   */
  campaigns: {
    key: ['owner', 'item'],
    indexes: { byChange: ['feed', 'changedAt'] },
    numbers: ['changedAt'],
    ttl: 'ttl',
    stream: 'NEW_AND_OLD_IMAGES',
  },
  /**
   * `money`: the balance, which charges update. `total` and `day#…`: counts. The impressions and spend of a day are written by the first
   * charge of the next day, clicks and conversions by the streams. `shard#…`: a part of the budget, in its own partition.
   */
  ledgers: { key: ['campaignId', 'row'], ttl: 'ttl' },
  /** One item per bid, from issued to served and clicked. */
  bids: { key: ['id'], ttl: 'ttl', stream: 'NEW_AND_OLD_IMAGES' },
  /** Conversions, and statements of what a user spent on a day (`date#page`). Each insert sends an event. */
  conversions: { key: ['owner', 'conversionId'], stream: 'NEW_AND_OLD_IMAGES' },
  statements: { key: ['owner', 'date'], stream: 'NEW_AND_OLD_IMAGES' },
  /** Sums of all campaigns of a user on an ended UTC day, for overviews. */
  'account-days': { key: ['owner', 'day'], ttl: 'ttl' },
  /** URL, secret, and health of a webhook (`wh_…`), and the number of webhooks of a user (`#count`). */
  webhooks: { key: ['owner', 'id'] },
  /** State and attempts of a delivery, and its event. */
  deliveries: { key: ['webhookId', 'eventId'], ttl: 'ttl', stream: 'NEW_AND_OLD_IMAGES' },
  /** Who changed which campaign, key, or webhook, and when. The index finds the entries of one of them. */
  activity: { key: ['owner', 'id'], indexes: { bySubject: ['subject', 'id'] }, ttl: 'ttl' },
  /** Snapshots of the catalog for instances that start: the parts of each snapshot, and a head that names the latest. */
  snapshots: { key: ['name', 'part'], ttl: 'ttl' },
  /** Requests with an Idempotency-Key, one item per user, operation, and key: hashes, and the id of what was created. */
  idempotency: { key: ['subject'], ttl: 'ttl' },
  /** Ads shown in a conversation, for limits per conversation. The key is a keyed hash of the conversation's id. */
  conversations: { key: ['conversation'], ttl: 'ttl' },
  /** Rate limits per minute, and slots of deliveries, one item per subject. */
  limits: { key: ['subject'], ttl: 'ttl' },
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof tables;

/** The tables with a stream. */
export type StreamTable = {
  [T in TableName]: (typeof tables)[T] extends { stream: string } ? T : never;
}[TableName];

export const tableNames = getKeys(tables);

/** The shape of a table, with the wide type that loops need. */
export const tableShape = (name: TableName): TableShape => tables[name];

export const hasStream = (name: TableName): name is StreamTable => tableShape(name).stream !== undefined;
