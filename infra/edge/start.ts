import { configFromEnvironment } from '../../shared/platform/config.ts';
import { freePort } from '../local/dynamodb.ts';
import { runCommand } from '../local/run-command.ts';
import { serve } from '../local/serve.ts';
import { tour } from '../local/tour.ts';
import { bundleEdge } from './bundle.ts';
import { startEdge } from './runtime.ts';

/** `npm run start:edge`: the local service, and in front of it the Worker in workerd, at the address of the settings. */
await runCommand(async () => {
  const config = configFromEnvironment(true, { port: await freePort() });
  await bundleEdge();
  const originPort = await freePort();
  const service = await serve({ ...config, port: originPort, host: '127.0.0.1' });
  try {
    const { endpoint, region = '' } = service.stack.client;
    const edge = await startEdge({
      host: config.host,
      port: config.port,
      bindings: {
        ORIGIN_URL: `http://127.0.0.1:${originPort}`,
        BASE_URL: config.baseUrl,
        AWS_REGION: String(region),
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: String(endpoint),
        TABLE_PREFIX: config.tablePrefix,
        LOG_LEVEL: config.logLevel,
        BID_TTL_SECONDS: String(config.bidTtlMs / 1000),
        CAMPAIGN_REFRESH_SECONDS: String(config.campaignRefreshMs / 1000),
        ...(config.judge && {
          JUDGE: config.judge.protocol,
          JUDGE_MODEL: config.judge.model,
          JUDGE_URL: config.judge.url,
        }),
      },
    });
    console.log(`The Worker answers at ${config.baseUrl}, the service behind it at http://127.0.0.1:${originPort}`);
    console.log(tour(config, service.demo));
    return async () => {
      await edge.stop();
      await service.stop();
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
});
