import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Lexicon } from '../matching/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/dynamodb.ts';
import type { Effects } from '../platform/effects.ts';
import { systemIds } from '../platform/ids.ts';
import { gate, type Log, type LogLevel } from '../platform/log.ts';
import { type Metrics, noMetrics, serviceOf } from '../platform/metrics.ts';
import { withCachedSlices } from './edge-cache.ts';
import { createEdgeCatalog, type EdgeCatalog } from './edge-catalog.ts';
import type { Bindings, EdgeSettings } from './edge-settings.ts';

/** What a Worker is told of the request that it runs for. */
export interface Execution {
  /** Lets work go on that the answer did not wait for: for at most 30 s, after which it is cut off. */
  waitUntil(work: Promise<unknown>): void;
}

/** The effects of a Worker. */
export interface EdgeEffects extends Effects {
  /** One for all operations that bid: memory is short. Made when first asked for, so that clicks load none of it. */
  catalog(lexicon: Lexicon): EdgeCatalog;
}

/** The catalog of an operation, where all of one Worker share one. */
export const sharedCatalog = (effects: EdgeEffects, lexicon: Lexicon): EdgeCatalog => effects.catalog(lexicon);

/** The runtime's own store of measurements, Workers Analytics Engine: columns without names. */
interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** @param executions whose request runs now */
export function edgeEffects(
  { config, mostCampaigns, region, credentials }: EdgeSettings,
  bindings: Bindings,
  executions: AsyncLocalStorage<Execution>,
): EdgeEffects {
  const clock: Clock = {
    ...systemClock,
    // What is given a moment of its own may outlive the request; the runtime ends what it is not told of.
    within(deadline, work) {
      const result = systemClock.within(deadline, work);
      if (result instanceof Promise) executions.getStore()?.waitUntil(result.catch(() => {}));
      return result;
    },
  };
  const client = { region, credentials, endpoint: config.dynamoDbEndpoint };
  const effects: Effects = {
    config,
    clock,
    ids: systemIds,
    log: edgeLog(config.logLevel),
    metrics: edgeMetrics(bindings.METRICS as Dataset | undefined, serviceOf(config.tablePrefix)),
    db: openDatabase({ prefix: config.tablePrefix, clock, ids: systemIds, client }),
    resolve: async () => [], // asked by deliveries alone, which run elsewhere
  };
  const db = withCachedSlices(effects.db, config.baseUrl);
  let catalog: EdgeCatalog | undefined;
  return {
    ...effects,
    catalog: (lexicon) => (catalog ??= createEdgeCatalog({ ...effects, db }, lexicon, mostCampaigns)),
  };
}

/** The runtime takes the level from the method, and the fields from a line that is JSON. */
export const edgeLog = (least: LogLevel): Log =>
  gate(least, (level, message, fields) => console[level](JSON.stringify({ level, message, ...fields })));

/** One point a value: the name, then the service, then the value. They are written beside the answer, which does not wait. */
const edgeMetrics = (dataset: Dataset | undefined, service: string): Metrics =>
  dataset
    ? {
        add: (name, value = 1) => dataset.writeDataPoint({ indexes: [name], blobs: [service], doubles: [value] }),
        flush() {},
      }
    : noMetrics;
