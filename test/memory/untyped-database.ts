import type { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Database, Query, Returning } from '../../shared/platform/database.ts';
import type { TableName } from '../../shared/platform/tables.ts';

/** An item in whatever shape: as an earlier version stored it, or damaged, or of no matter. */
export type AnyItem = ReturnType<typeof unmarshall>;

/** The database as tests see it that store and read what the stores' own types do not allow. */
export interface UntypedDatabase {
  get(table: TableName, key: object): Promise<AnyItem | undefined>;
  getAll(table: TableName, keys: object[]): Promise<AnyItem[]>;
  query(query: Query): AsyncGenerator<AnyItem>;
  write(write: AnyItem, returning?: Returning): Promise<{ ok: boolean; item?: AnyItem; old?: AnyItem }>;
}

export const untyped = (db: Database): UntypedDatabase => db as unknown as UntypedDatabase;
