import { configFromEnvironment } from '../../shared/platform/config.ts';
import { freePort } from './port.ts';
import { runCommand } from './run-command.ts';

/** `npm start`: the whole service on one machine, with demo data, until Ctrl-C. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await freePort() });
  // What is wrong in a setting is told before the rest is loaded.
  const [{ serve }, { firstRequests }] = await Promise.all([import('./serve.ts'), import('./first-requests.ts')]);
  const { demo, stop } = await serve(config);
  console.log(firstRequests(config, demo));
  return stop;
});
