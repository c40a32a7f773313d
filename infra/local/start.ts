import { configFromEnvironment } from '../../shared/platform/config.ts';
import { printStep, runCommand } from './command.ts';
import { findFreePort } from './port.ts';

/** `npm start`: runs the whole service on one machine, with demo data, until Ctrl-C. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await findFreePort() });
  // Load the rest only after the settings are validated: loading takes a second.
  printStep('Loading the service');
  const [{ serve }, { formatFirstRequests }] = await Promise.all([import('./serve.ts'), import('./first-requests.ts')]);
  const { demo, stop } = await serve(config, printStep);
  console.log(formatFirstRequests(config, demo));
  return stop;
});
