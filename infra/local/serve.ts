import { setTimeout as pause } from 'node:timers/promises';
import { type Config, isLoopback } from '../../shared/platform/config.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createLog } from '../../shared/platform/log.ts';
import { siteFiles } from '../site/files.ts';
import { createSite } from '../site/serve.ts';
import { requireDynamoDb } from './dynamodb.ts';
import { createLocalEffects } from './effects.ts';
import { createGateway, listen } from './gateway.ts';
import { type DemoAccounts, demoKey, demoUsers, revokeDemoKey, seed } from './seed.ts';
import { type Stack, startStack } from './stack.ts';
import { isTrialLogLine, warmUp } from './warm-up.ts';

const POLL_MS = 200;
const HOUSEKEEPING_MS = 60_000;

interface LocalService {
  stack: Stack;
  /** Undefined when DEMO_DATA is off. */
  demo: DemoAccounts | undefined;
  stop(): Promise<void>;
}

/**
 * Runs the whole service on one machine, at the host and port of its settings, with demo data if the settings allow it.
 * @param say receives each step of the preparations, which take seconds
 */
export async function serve(config: Config, say: (step: string) => void = () => {}): Promise<LocalService> {
  requireDynamoDb(config);
  const log = createLog(config.logLevel, (line) => isTrialLogLine(line) || console.log(line));
  say('Building the web app');
  const site = createSite(
    await siteFiles({ demo: config.demoData ? { users: demoUsers, apiKey: demoKey() } : null, signIn: null }),
  );
  say('Starting the stand-ins for DynamoDB and SQS, and loading the functions');
  const stack = await startStack(createLocalEffects(config, log));
  const server = createGateway(stack.apps, site);
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
    if (config.demoData) say('Adding the demo campaigns if they are missing');
    const demo = config.demoData ? await seed(stack.effects) : undefined;
    if (!isLoopback(config.host)) await closeToNetwork(stack.effects);
    await listen(server, config.port, config.host);
    polling = Promise.all([
      ...stack.streams.map((drain) => forever(POLL_MS, drain)),
      forever(POLL_MS, consumeAll),
      ...stack.schedules.map((run) => forever(HOUSEKEEPING_MS, run)),
      forever(HOUSEKEEPING_MS, stack.sweep),
    ]);
    say('Warming up with trial bids');
    await warmUp(stack);
    return { stack, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server listens on the network: warns about it, and deactivates the public demo key if demo data is off. */
async function closeToNetwork(effects: Effects): Promise<void> {
  const { config, log } = effects;
  if (!config.demoData) await revokeDemoKey(effects);
  log.warn('the server listens on a network address', {
    host: config.host,
    demoData: config.demoData,
    webhookAllowLocal: config.webhookAllowLocal,
  });
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= act());
}
