import { getKeys } from './values/typed.ts';
/**
 * The table of tables: the cloud's stack and the local stand-ins both create from it, so they cannot differ.
 * Key and index attributes are strings unless their name stands in `numbers`.
 */
export interface TableShape {
  /** Partition key and, where there is one, sort key. */
  key: readonly [string, string?];
  indexes?: Readonly<Record<string, readonly [string, string]>>;
  /** Indexes that hold keys alone: a write that changes none of them is not written, and not paid, a second time. */
  keysOnly?: readonly string[];
  /** Key attributes that hold numbers. */
  numbers?: readonly string[];
  /** The attribute with the epoch second after which the store may drop the item; readers check expiry themselves. */
  ttl?: string;
  /** Whether changes are published: each with the item before and after, or with the new one alone. */
  stream?: 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE';
}

export const tables = {
  /** One item a key, its usage and rate windows included: one write authenticates, counts and limits. */
  'api-keys': { key: ['id'], indexes: { byOwner: ['owner', 'createdAt'] }, keysOnly: ['byOwner'] },
  /** What a key's requests do not write: its settings, and the name that is too long to be written with every request. */
  'key-settings': { key: ['id'] },
  /** What came of a key on a UTC day, and marks of records that were counted apart (`mark#…`). */
  'key-days': { key: ['keyId', 'day'], ttl: 'ttl' },
  /** What the last batch of a shard of bids came to, for all of its keys together: each batch replaces it, and the stream has them all. */
  'key-tallies': { key: ['shard'], ttl: 'ttl', stream: 'NEW_IMAGE' },
  /** Configuration and status (`campaign#id`), each version of its creative (`creative#id#version`), phrases for it (`phrases#id`), what bidding
   * knows of its spend (`funds#id`), what makes names unique (`name#…`), how many a user has (`#count`). What a charge is atomic with stands in ledgers. */
  campaigns: {
    key: ['owner', 'item'],
    indexes: { byChange: ['feed', 'changedAt'] },
    numbers: ['changedAt'],
    ttl: 'ttl',
    stream: 'NEW_AND_OLD_IMAGES',
  },
  /**
   * `money`: the balance, which a charge is atomic with. `total` and `day#…`: counts; a day's impressions and spend come from the
   * charge that opens the next day, clicks and conversions from the streams. `shard#…`: part of a budget, under the
   * campaign's id and its number.
   */
  ledgers: { key: ['campaignId', 'row'], ttl: 'ttl' },
  /** One record for the whole life of an opportunity: issued, served, clicked. */
  bids: { key: ['id'], ttl: 'ttl', stream: 'NEW_AND_OLD_IMAGES' },
  /** Facts that send an event: what clicks led to, and what users spent on a day (`date#page`). */
  conversions: { key: ['owner', 'conversionId'], stream: 'NEW_AND_OLD_IMAGES' },
  statements: { key: ['owner', 'date'], stream: 'NEW_AND_OLD_IMAGES' },
  /** A receiver's address, secret and health (`wh_…`), and how many a user has (`#count`). */
  webhooks: { key: ['owner', 'id'] },
  /** State and attempts of each delivery, and the event itself. */
  deliveries: { key: ['webhookId', 'eventId'], ttl: 'ttl', stream: 'NEW_AND_OLD_IMAGES' },
  /** What bidding needs of the campaigns, ready for an instance that has just started: slices of each writing, and the head that names the last. */
  snapshots: { key: ['name', 'part'], ttl: 'ttl' },
  /** Creates that were carried out under an Idempotency-Key, one item for user, operation and key: hashes and the id of what was made. */
  idempotency: { key: ['subject'], ttl: 'ttl' },
  /** Ads of conversations that have limits, one item a conversation under a keyed hash of its id. */
  conversations: { key: ['conversation'], ttl: 'ttl' },
  /** Requests per minute and slots of deliveries, one item a subject. */
  limits: { key: ['subject'], ttl: 'ttl' },
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof tables;

/** Those whose changes are published. */
export type StreamTable = {
  [T in TableName]: (typeof tables)[T] extends { stream: string } ? T : never;
}[TableName];

export const tableNames = getKeys(tables);

/** The shape of a table, as the wide type that loops want. */
export const tableShape = (name: TableName): TableShape => tables[name];

export const hasStream = (name: TableName): name is StreamTable => tableShape(name).stream !== undefined;
