import { configFromEnvironment } from '../../shared/platform/config.ts';
import { printStep, runCommand } from '../local/command.ts';
import { formatFirstRequests } from '../local/first-requests.ts';
import { findFreePort } from '../local/port.ts';
import { serve } from '../local/serve.ts';
import { bundleEdge } from './bundle.ts';
import { createLocalBindings, startEdge } from './runtime.ts';

/** `npm run start:edge`: runs the local service with the Worker in front of it. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await findFreePort() });
  printStep('Building the Worker');
  await bundleEdge();
  const originPort = await findFreePort();
  const service = await serve({ ...config, port: originPort, host: '127.0.0.1' }, printStep);
  try {
    const bindings = createLocalBindings(config, service.stack.client, originPort);
    const edge = await startEdge({ host: config.host, port: config.port, bindings });
    console.log(`The Worker runs at ${config.baseUrl}, the service behind it at http://127.0.0.1:${originPort}`);
    console.log(formatFirstRequests(config, service.demo));
    return async () => {
      await edge.stop();
      await service.stop();
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
});
