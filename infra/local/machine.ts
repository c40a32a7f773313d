import { systemClock } from '../../shared/clock.ts';
import type { Config } from '../../shared/config.ts';
import type { Effects } from '../../shared/effects.ts';
import { systemIds } from '../../shared/ids.ts';
import { createLog, type Log } from '../../shared/log.ts';
import { noMetrics } from '../../shared/metrics.ts';
import { systemResolve } from '../../shared/webhooks/resolve.ts';

/** The effects of one machine, less the stores: its clock, its randomness, its names, and metrics that go nowhere. */
export const machineEffects = (config: Config, log: Log = createLog(config.logLevel)): Omit<Effects, 'db'> => ({
  config,
  clock: systemClock,
  ids: systemIds,
  log,
  metrics: noMetrics,
  resolve: systemResolve,
});
