import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../shared/platform/clock.ts';
import type { Config } from '../../shared/platform/config.ts';
import { createLog } from '../../shared/platform/log.ts';
import { siteFiles } from '../site/files.ts';
import { createSite } from '../site/serve.ts';
import { requireDynamoDb } from './dynamodb.ts';
import { createGateway, listen } from './gateway.ts';
import { machineEffects } from './machine.ts';
import { type DemoAccounts, demoKey, demoUsers, seed } from './seed.ts';
import { type Stack, startStack } from './stack.ts';

const POLL_MS = 200;
const HOUSEKEEPING_MS = 60_000;

interface LocalService {
  stack: Stack;
  demo: DemoAccounts;
  stop(): Promise<void>;
}

/** The whole service on one machine, with demo data, at the host and port of its settings, until it is stopped. */
export async function serve(config: Config): Promise<LocalService> {
  requireDynamoDb(config);
  const log = createLog(config.logLevel);
  const site = createSite(await siteFiles({ demo: { users: demoUsers, apiKey: demoKey() }, signIn: null }));
  const stack = await startStack(machineEffects(config, log));
  const server = createGateway(stack.handlers, systemClock.now, site);
  const stopping = new AbortController();
  const stop = once(async () => {
    stopping.abort();
    server.close();
    server.closeAllConnections();
    await polling;
    await stack.stop();
  });

  const forever = async (everyMs: number, act: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      await act().catch(
        (error) => stopping.signal.aborted || log.error('background work failed', { cause: String(error) }),
      );
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const consumeAll = async () => {
    while (!stopping.signal.aborted && (await stack.consume()) > 0);
  };
  let polling: Promise<unknown> = Promise.resolve();

  try {
    const demo = await seed(stack.effects);
    await listen(server, config.port, config.host);
    polling = Promise.all([
      ...stack.streams.map((drain) => forever(POLL_MS, drain)),
      forever(POLL_MS, consumeAll),
      ...stack.schedules.map((run) => forever(HOUSEKEEPING_MS, run)),
      forever(HOUSEKEEPING_MS, stack.sweep),
    ]);
    return { stack, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= act());
}
