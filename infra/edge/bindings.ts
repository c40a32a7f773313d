import type { Config } from '../../shared/platform/config.ts';
import type { Stack } from '../local/stack.ts';

/** What a Worker on this machine is bound to: the settings of the service that it stands in front of, and its store. */
export const localBindings = (
  config: Config,
  { endpoint, region }: Stack['client'],
  originPort: number,
): Record<string, string> => ({
  ORIGIN_URL: `http://127.0.0.1:${originPort}`,
  BASE_URL: config.baseUrl,
  AWS_REGION: String(region),
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local-secret',
  AWS_ENDPOINT_URL_DYNAMODB: String(endpoint),
  TABLE_PREFIX: config.tablePrefix,
  LOG_LEVEL: config.logLevel,
  BID_TTL_SECONDS: String(config.bidTtlMs / 1000),
  BUDGET_SHARDS: String(config.budgetShards),
  EXCHANGE_REQUESTS_PER_SECOND: String(config.exchangeRequestsPerSecond),
  CAMPAIGN_REFRESH_SECONDS: String(config.campaignRefreshMs / 1000),
  ...(config.judge && {
    JUDGE: config.judge.protocol,
    JUDGE_MODEL: config.judge.model,
    JUDGE_URL: config.judge.url,
  }),
});
