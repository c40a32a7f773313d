import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import type { Ids } from './ids.ts';
import type { Judge } from './judge.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Resolve } from './resolve.ts';

/**
 * Every side effect of the service. Functions and stores get it as their one argument and reach the outside world
 * through nothing else; tests hand in a fake clock, counted ids, a database that fails on purpose.
 */
export interface Effects {
  config: Config;
  clock: Clock;
  ids: Ids;
  log: Log;
  metrics: Metrics;
  db: Database;
  /** All addresses of a name. */
  resolve: Resolve;
  /** A second opinion on what matching found; absent where JUDGE is off. */
  judge?: Judge;
}
