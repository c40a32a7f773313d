import type { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Database, Query, Returning } from '../../shared/platform/database.ts';
import type { TableName } from '../../shared/platform/tables.ts';

/** An item of any shape, such as one of an earlier version or a damaged one. */
export type AnyItem = ReturnType<typeof unmarshall>;

/** The database for tests that store and read items that the types of the tables do not allow. */
export interface UntypedDatabase {
  get(table: TableName, key: object): Promise<AnyItem | undefined>;
  getAll(table: TableName, keys: object[]): Promise<AnyItem[]>;
  query(query: Query): AsyncGenerator<AnyItem>;
  write(write: AnyItem, returning?: Returning): Promise<{ ok: boolean; item?: AnyItem; old?: AnyItem }>;
}

export const untyped = (db: Database): UntypedDatabase => db as unknown as UntypedDatabase;
