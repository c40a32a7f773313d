import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { createNoBids } from '../../../shared/api-keys/no-bids.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { type Execution, edgeEffects } from '../../../shared/runtimes/edge-effects.ts';
import { readEdgeSettings } from '../../../shared/runtimes/edge-settings.ts';

it('A Worker lets what is told of no-bids be written, however long the answer has left by then', async () => {
  const executions = new AsyncLocalStorage<Execution>();
  const settings = readEdgeSettings({
    BASE_URL: 'https://ads.example',
    AWS_REGION: 'eu-west-1',
    TABLE_PREFIX: 'ads-prod-',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'very-secret',
  });
  const effects = { ...edgeEffects(settings, {}, executions), log: createLog('silent') };
  const write = Promise.withResolvers<never>();
  const db: Database = { ...effects.db, write: () => write.promise };
  const timer: Clock['timer'] = (_, call) => {
    call(); // the answer waits no longer
    return () => {};
  };
  const noBids = createNoBids({ ...effects, db, clock: { ...effects.clock, timer } });
  noBids.noterOf({ id: 'key', mode: 'live' })('no_match', 100);

  const after: Promise<unknown>[] = [];
  await executions.run({ waitUntil: (work) => void after.push(work) }, () => noBids.flush('key'));
  expect(after.length).toBe(1);
  let isWritten = false;
  const told = after[0]!.then(() => (isWritten = true));
  await Promise.resolve();
  expect(isWritten).toBe(false);
  write.reject(new Error('no'));
  await told;
});
