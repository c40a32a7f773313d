import { systemClock } from '../../platform/clock.ts';
import { configFromEnvironment } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import type { openDatabase } from '../../platform/dynamodb.ts';
import type { Effects } from '../../platform/effects.ts';
import { systemResolve, withPendingCalls } from '../../platform/effects.ts';
import { systemIds } from '../../platform/ids.ts';
import { powertoolsLog, powertoolsMetrics } from '../../platform/powertools.ts';
import type { createJudgeFromConfig } from './judge.ts';

/** How long an HTTP function keeps its metrics together: what is lost with an instance is at most this. Workers keep none. */
const FLUSH_MS = 10_000;

/**
 * The effects of a deployed function. `open` is handed in by those whose row names a table: the bundles of the others are without
 * the store's client, and `judgeFor` by those that ask for second opinions. @throws ConfigError when a setting is bad: the deployment fails, not the requests
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
