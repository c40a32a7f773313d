import { configFromEnvironment } from '../../shared/platform/config.ts';
import { freePort } from './dynamodb.ts';
import { firstRequests } from './first-requests.ts';
import { runCommand } from './run-command.ts';
import { serve } from './serve.ts';

/** `npm start`: the whole service on one machine, with demo data, until Ctrl-C. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await freePort() });
  const { demo, stop } = await serve(config);
  console.log(firstRequests(config, demo));
  return stop;
});
