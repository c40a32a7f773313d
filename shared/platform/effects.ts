import { lookup } from 'node:dns/promises';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database, Query } from './database.ts';
import type { PendingCall, PendingCalls } from './deadlines.ts';
import type { Ids } from './ids.ts';
import type { Judge } from './judge.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { TableName } from './tables.ts';

/**
 * Every side effect of the service. Functions and stores receive it as an argument and have no other access to the outside world, so
 * tests can pass a fake clock, predictable ids, or a failing database.
 */
export interface Effects {
  config: Config;
  clock: Clock;
  ids: Ids;
  log: Log;
  metrics: Metrics;
  db: Database;
  resolve: Resolve;
  /** Gives second opinions on matches; undefined if JUDGE is off. */
  judge?: Judge;
}

/** Resolves a host name to all its IP addresses. Returns an empty list if the lookup fails. */
export type Resolve = (hostname: string) => Promise<string[]>;

const RESOLVE_LIMIT_MS = 2_000;

/** Resolves a host name with the system resolver. */
export const systemResolve: Resolve = async (hostname) => {
  const none = new Promise<[]>((resolve) => setTimeout(resolve, RESOLVE_LIMIT_MS, []).unref());
  const found = await Promise.race([lookup(hostname, { all: true }).catch(() => []), none]);
  return found.map(({ address }) => address);
};

type Calling = Pick<Effects, 'db' | 'judge' | 'resolve'> & { clock: Pick<Clock, 'now' | 'pendingCalls'> };

/** The same effects, with their pending calls recorded for `Clock.noting`. */
export function withPendingCalls<E extends Calling>(effects: E): E {
  const { clock, db, judge, resolve } = effects;

  async function pending<T>(call: string, table: string | undefined, make: () => Promise<T>): Promise<T> {
    const calls = clock.pendingCalls();
    if (!calls) return make();
    const made: PendingCall = { call, ...(table && { table }), since: clock.now() };
    calls.add(made);
    try {
      return await make();
    } finally {
      calls.delete(made);
    }
  }

  /** A query is pending only while it waits for the next item, not while the caller processes one. */
  async function* noted<T extends TableName>(query: Query<T>, calls: PendingCalls) {
    const items = db.query(query)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const made: PendingCall = { call: 'query', table: query.table, since: clock.now() };
        calls.add(made);
        const { done, value } = await items.next().finally(() => calls.delete(made));
        if (done) return;
        yield value;
      }
    } finally {
      await items.return?.(undefined); // The caller may have stopped early.
    }
  }

  const store: Database = {
    get: (table, key) => pending('get', table, () => db.get(table, key)),
    getAll: (table, keys) => pending('getAll', table, () => db.getAll(table, keys)),
    query(query) {
      const calls = clock.pendingCalls();
      return calls ? noted(query, calls) : db.query(query);
    },
    write: (write, returning) => pending('write', write.table, () => db.write(write, returning)),
    transact: (writes, onConflict) => {
      const tables = [...new Set(writes.map(({ table }) => table))].join(', ');
      return pending('transact', tables, () => db.transact(writes, onConflict));
    },
  };

  return {
    ...effects,
    db: store,
    resolve: (name) => pending('resolve', undefined, () => resolve(name)),
    ...(judge && {
      judge: { ...judge, opine: (question) => pending('opine', undefined, () => judge.opine(question)) },
    }),
  };
}
