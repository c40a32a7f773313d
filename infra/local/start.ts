import { configFromEnvironment } from '../../shared/platform/config.ts';
import { freePort } from './dynamodb.ts';
import { runCommand } from './run-command.ts';
import { serve } from './serve.ts';
import { tour } from './tour.ts';

/** `npm start`: the whole service on one machine, with demo data, until Ctrl-C. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await freePort() });
  const { demo, stop } = await serve(config);
  console.log(tour(config, demo));
  return stop;
});
