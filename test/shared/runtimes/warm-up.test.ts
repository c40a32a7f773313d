import { expect, it } from 'vitest';
import type { HttpHandler } from '../../../shared/http/operation.ts';
import { endpointNames } from '../../../shared/operations/endpoints.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import type { Effects } from '../../../shared/platform/effects.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { noMetrics } from '../../../shared/platform/metrics.ts';
import { warmUp } from '../../../shared/runtimes/warm-up.ts';
import { testClock, testIds, testResolve } from '../../harness.ts';

it.each(endpointNames)('Warming up %s asks no store and meets no error', async (name) => {
  const { default: create }: { default: (effects: Effects) => HttpHandler } = await import(
    `../../../functions/${name}.ts`
  );
  const asked: string[] = [];
  const refuse = (what: string) => () => {
    asked.push(what);
    throw new Error(what);
  };
  const db = Object.fromEntries(['get', 'getAll', 'query', 'write', 'transact'].map((call) => [call, refuse(call)]));
  const clock = testClock();
  const effects = {
    config: readConfig({}, true),
    clock,
    ids: testIds('warm-up', clock.now),
    log: createLog('silent'),
    metrics: noMetrics,
    db: db as never,
    resolve: testResolve,
  };
  const lines: string[] = [];
  const logged = (given: Effects) => create({ ...given, log: createLog('warn', (line) => lines.push(line)) });
  await warmUp(name, logged, effects);
  expect([...asked, ...lines]).toEqual([]);
});
