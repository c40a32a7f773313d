import { configFromEnvironment } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import type { openDatabase } from '../../platform/dynamodb.ts';
import type { Effects } from '../../platform/effects.ts';
import { systemResolve, withPendingCalls } from '../../platform/effects.ts';
import { systemIds } from '../../platform/ids.ts';
import { powertoolsLog, powertoolsMetrics } from '../../platform/powertools.ts';
import { systemClock } from '../../platform/system-clock.ts';
import type { createJudgeFromConfig } from './judge.ts';

/** How long an HTTP function collects metrics before it writes them. An instance that ends loses at most this much. */
const FLUSH_MS = 10_000;

/**
 * The effects of a deployed function. Only functions with tables pass `open`, and only functions that ask for second opinions pass
 * `judgeFor`, so other bundles exclude that code.
 * @throws ConfigError if a setting is invalid, so the deployment fails instead of the requests
 */
export function cloudEffects(
  open?: typeof openDatabase,
  flushMs = FLUSH_MS,
  judgeFor?: typeof createJudgeFromConfig,
): Effects {
  const config = configFromEnvironment(false);
  const { tablePrefix, dynamoDbEndpoint, logLevel } = config;
  const client = { endpoint: dynamoDbEndpoint };
  const effects: Effects = {
    config,
    clock: systemClock,
    ids: systemIds,
    log: powertoolsLog(logLevel),
    metrics: powertoolsMetrics(tablePrefix, logLevel, systemClock, flushMs),
    db: open ? open({ prefix: tablePrefix, clock: systemClock, ids: systemIds, client }) : noDatabase,
    resolve: systemResolve,
  };
  return withPendingCalls({ ...effects, judge: judgeFor?.(effects) });
}

const refuse = () => {
  throw new TypeError('the row of this function names no table');
};
const noDatabase: Database = { get: refuse, getAll: refuse, query: refuse, write: refuse, transact: refuse };
