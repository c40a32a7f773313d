import { configFromEnvironment } from '../../shared/platform/config.ts';
import { freePort } from './port.ts';
import { runCommand, sayStep } from './run-command.ts';

/** `npm start`: the whole service on one machine, with demo data, until Ctrl-C. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await freePort() });
  // A wrong setting is reported before the rest is loaded, which takes a second.
  sayStep('Loading the service');
  const [{ serve }, { firstRequests }] = await Promise.all([import('./serve.ts'), import('./first-requests.ts')]);
  const { demo, stop } = await serve(config, sayStep);
  console.log(firstRequests(config, demo));
  return stop;
});
