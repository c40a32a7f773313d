import { createJudgeFromConfig } from '../../shared/http/runtimes/judge.ts';
import type { Config } from '../../shared/platform/config.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { systemResolve } from '../../shared/platform/effects.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { createLog, type Log } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { systemClock } from '../../shared/platform/system-clock.ts';

/** Effects of a local process, except the stores. Metrics are discarded. */
export function createLocalEffects(config: Config, log: Log = createLog(config.logLevel)): Omit<Effects, 'db'> {
  const effects = {
    config,
    clock: systemClock,
    ids: systemIds,
    log,
    metrics: noMetrics,
    resolve: systemResolve,
  };
  return { ...effects, judge: createJudgeFromConfig(effects) };
}
