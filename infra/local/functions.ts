import { type EndpointName, endpointNames, endpointRow } from '../../shared/http/operations/endpoints.ts';
import type { Grants, Verb } from '../../shared/http/operations/rows.ts';
import { type WorkerName, workerNames, workerRow } from '../../shared/http/operations/workers.ts';
import { type App, type LambdaHandler, lambdaHandler } from '../../shared/http/runtimes/lambda.ts';
import type { QueueHandler } from '../../shared/http/workers/queue-worker.ts';
import type { StreamHandler } from '../../shared/http/workers/stream-worker.ts';
import type { ScheduleHandler, WorkerEffects } from '../../shared/http/workers/worker.ts';
import type { Database } from '../../shared/platform/database.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { withPendingCalls } from '../../shared/platform/effects.ts';
import type { TableName } from '../../shared/platform/tables.ts';
import { toRecord } from '../../shared/platform/values/typed.ts';

/** The Hono app of every HTTP function. */
export type Apps = Record<EndpointName, App>;
/** The apps behind the Lambda adapter. */
export type HttpHandlers = Record<EndpointName, LambdaHandler>;
export type WorkerHandlers = Record<WorkerName, WorkerHandler>;

/** Loads every function, each restricted to the grants of its role. */
export async function loadFunctions(effects: WorkerEffects): Promise<{ apps: Apps; workers: WorkerHandlers }> {
  const apps = endpointNames.map(async (name) => [name, await loadEndpoint(name, effects)]);
  const workers = workerNames.map(async (name) => [name, await loadWorker(name, effects)]);
  return {
    apps: Object.fromEntries(await Promise.all(apps)),
    workers: Object.fromEntries(await Promise.all(workers)),
  };
}

export const lambdaHandlers = (apps: Apps): HttpHandlers =>
  toRecord(endpointNames, (name) => lambdaHandler(name, apps[name]));

/** Handler of a stream, a queue, or a schedule, depending on its row. */
type WorkerHandler = StreamHandler & QueueHandler & ScheduleHandler;

const load = async (name: string) => (await import(`../../functions/${name}.ts`)).default;

/** Loads a function and restricts its database access to the grants of its row, as its IAM role does in the cloud. */
export const loadEndpoint = async (name: EndpointName, effects: Effects): Promise<App> => {
  const create: (effects: Effects) => App = await load(name);
  return create(withPendingCalls({ ...effects, db: withGrants(effects.db, getGrants(name, effects), name) }));
};

export const loadWorker = async (name: WorkerName, effects: WorkerEffects): Promise<WorkerHandler> =>
  (await load(name))({ ...effects, db: withGrants(effects.db, [workerRow(name).tables], name) });

function getGrants(name: EndpointName, effects: Effects): readonly Grants[] {
  const { tables, judge } = endpointRow(name);
  return effects.judge && judge ? [tables, judge] : [tables];
}

/** Wraps the database: a call that the row does not grant throws, as IAM would reject it. */
function withGrants(db: Database, grants: readonly Grants[], name: string): Database {
  const requireGrant = (table: TableName, verb: Verb) => {
    if (!grants.some((some) => some[table]?.includes(verb))) {
      throw new TypeError(`${name} may not ${verb} ${table}: its row does not grant it`);
    }
  };
  return {
    async get(table, key) {
      requireGrant(table, 'get');
      return db.get(table, key);
    },
    async getAll(table, keys) {
      requireGrant(table, 'getAll');
      return db.getAll(table, keys);
    },
    query(query) {
      requireGrant(query.table, 'query');
      return db.query(query);
    },
    async write(write, returning) {
      requireGrant(write.table, toVerb(write));
      return db.write(write, returning);
    },
    async transact(writes, onConflict) {
      for (const write of writes) requireGrant(write.table, toVerb(write));
      return db.transact(writes, onConflict);
    },
  };
}

const toVerb = (write: Parameters<Database['write']>[0]): Verb =>
  'put' in write ? 'put' : 'update' in write ? 'update' : 'remove' in write ? 'remove' : 'check';
