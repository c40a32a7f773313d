import { readFileSync } from 'node:fs';
import { endpointNames } from '../../shared/http/operations/endpoints.ts';
import { workerNames } from '../../shared/http/operations/workers.ts';
import { ConfigError, configFromEnvironment } from '../../shared/platform/config.ts';
import { createLog } from '../../shared/platform/log.ts';
import { toError } from '../../shared/platform/values/typed.ts';
import { StartError } from './command.ts';
import { createLocalEffects } from './effects.ts';
import { seedFixtures } from './fixtures.ts';
import { startStack } from './stack.ts';

const names: readonly string[] = [...endpointNames, ...workerNames];

/** `npm run invoke -- <function> [fixture file]`: invokes one function with its fixture, on temporary stand-ins. */
async function invoke(name: string | undefined, file = `events/${name}.json`): Promise<void> {
  if (!name || !names.includes(name)) {
    throw new StartError(`Usage: npm run invoke -- <name> [fixture file], where name is one of ${names.join(', ')}`);
  }
  const event = readFixture(file);
  const config = { ...configFromEnvironment(true), dataDir: ':memory:' };
  const log = createLog(config.logLevel, (line) => console.error(line));
  const stack = await startStack(createLocalEffects(config, log));
  try {
    await seedFixtures(stack.effects);
    const handlers: Record<string, (event: never) => Promise<unknown>> = { ...stack.handlers, ...stack.workers };
    console.log(JSON.stringify(await handlers[name]!(event as never), null, 2));
  } finally {
    await stack.stop();
  }
}

function readFixture(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`${file} is not a valid fixture: ${toError(error).message}`);
  }
}

const [name, file] = process.argv.slice(2);
invoke(name, file).catch((error: Error) => {
  const expected = error instanceof StartError || error instanceof ConfigError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
