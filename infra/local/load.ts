import { type EndpointName, endpointRow } from '../../shared/http/operations/endpoints.ts';
import type { Grants, Verb } from '../../shared/http/operations/rows.ts';
import { type WorkerName, workerRow } from '../../shared/http/operations/workers.ts';
import type { App } from '../../shared/http/runtimes/lambda.ts';
import type { QueueHandler } from '../../shared/http/workers/queue-worker.ts';
import type { ScheduleHandler } from '../../shared/http/workers/schedule.ts';
import type { StreamHandler, WorkerEffects } from '../../shared/http/workers/worker.ts';
import type { Database } from '../../shared/platform/database.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { withPendingCalls } from '../../shared/platform/pending-calls.ts';
import type { TableName } from '../../shared/platform/tables.ts';

/** A function on a stream, a queue or a schedule: its row says which. */
export type WorkerHandler = StreamHandler & QueueHandler & ScheduleHandler;

const load = async (name: string) => (await import(`../../functions/${name}.ts`)).default;

/** One function of functions/, made with these effects, with the grants of its row and no others: as its role in the cloud. */
export const loadEndpoint = async (name: EndpointName, effects: Effects): Promise<App> => {
  const create: (effects: Effects) => App = await load(name);
  return create(withPendingCalls({ ...effects, db: withGrants(effects.db, grantsOf(name, effects), name) }));
};

export const loadWorker = async (name: WorkerName, effects: WorkerEffects): Promise<WorkerHandler> =>
  (await load(name))({ ...effects, db: withGrants(effects.db, [workerRow(name).tables], name) });

function grantsOf(name: EndpointName, effects: Effects): readonly Grants[] {
  const { tables, judge } = endpointRow(name);
  return effects.judge && judge ? [tables, judge] : [tables];
}

/** The database as a role sees it: what the row of the table does not grant is an error here as it is in the cloud. */
function withGrants(db: Database, grants: readonly Grants[], name: string): Database {
  const demand = (table: TableName, verb: Verb) => {
    if (!grants.some((some) => some[table]?.includes(verb))) {
      throw new TypeError(`${name} may not ${verb} ${table}: its row does not say so`);
    }
  };
  return {
    async get(table, key) {
      demand(table, 'get');
      return db.get(table, key);
    },
    async getAll(table, keys) {
      demand(table, 'getAll');
      return db.getAll(table, keys);
    },
    query(query) {
      demand(query.table, 'query');
      return db.query(query);
    },
    async write(write, returning) {
      demand(write.table, verbOf(write));
      return db.write(write, returning);
    },
    async transact(writes, onConflict) {
      for (const write of writes) demand(write.table, verbOf(write));
      return db.transact(writes, onConflict);
    },
  };
}

const verbOf = (write: Parameters<Database['write']>[0]): Verb =>
  'put' in write ? 'put' : 'update' in write ? 'update' : 'remove' in write ? 'remove' : 'check';
