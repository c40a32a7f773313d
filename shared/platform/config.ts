import * as z from 'zod';

const DAY_SECONDS = 86_400;
const seconds = z.coerce
  .number('must be a number of seconds')
  .min(0, 'must be 0 or more seconds')
  .max(DAY_SECONDS, `must be at most ${DAY_SECONDS} seconds`);
const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

const schema = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'must be an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  PORT: z.coerce
    .number('must be a port')
    .int('must be a whole port number')
    .min(0, 'must be 0 to 65535')
    .max(65535, 'must be 0 to 65535')
    .default(3000),
  DATA_DIR: z.string().min(1, 'must name a folder, or :memory:').default('.data'),
  BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL such as https://ads.example' }).optional(),
  BID_TTL_SECONDS: seconds.default(300),
  WEBHOOK_BACKOFF_SECONDS: z
    .string()
    .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'must be delays in seconds with commas between, such as 1,4,16,64,256')
    .default('1,4,16,64,256')
    .transform((list) => list.split(',').map(Number)),
  // A function that delivers has 15 seconds in all.
  WEBHOOK_TIMEOUT_SECONDS: seconds.max(10, 'must be at most 10 seconds').default(10),
  // The bound is an eighth of the most deliveries that an event source can have under way, 1,000.
  WEBHOOK_CONCURRENCY_PER_OWNER: z.coerce
    .number('must be a number of requests')
    .int('must be a whole number of requests')
    .min(1, 'must be 1 to 125 requests')
    .max(125, 'must be 1 to 125 requests')
    .default(8),
  WEBHOOK_ALLOW_LOCAL: flag.optional(),
  CAMPAIGN_REFRESH_SECONDS: seconds.optional(),
  MAX_CAMPAIGNS_PER_USER: z.coerce
    .number('must be a number of campaigns')
    .int('must be a whole number of campaigns')
    .min(1, 'must be 1 to 1000000')
    .max(1_000_000, 'must be 1 to 1000000')
    .default(10_000),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info'),
  MANAGEMENT_AUTH: z.enum(['header', 'jwt', 'iam'], 'must be header, jwt or iam').default('header'),
  TABLE_PREFIX: z
    .string()
    .regex(/^[\w.-]*$/, 'must be letters, digits, _ . -')
    .default('ads-'),
  AWS_ENDPOINT_URL_DYNAMODB: z.url('must be a URL').optional(),
  DYNOXIDE_BIN: z.string().optional(),
});

export interface Config {
  /** Local only: where the server listens. */
  host: string;
  port: number;
  dataDir: string;
  /** What handed-out addresses start with; no slash at the end. */
  baseUrl: string;
  bidTtlMs: number;
  webhookBackoffMs: readonly number[];
  webhookTimeoutMs: number;
  /** Requests that may be under way at once to all receivers of one owner. */
  webhookConcurrencyPerOwner: number;
  webhookAllowLocal: boolean;
  campaignRefreshMs: number;
  maxCampaignsPerUser: number;
  logLevel: z.output<typeof schema>['LOG_LEVEL'];
  /** Who says which user manages: the header x-user-id, or what the gateway has verified. */
  managementAuth: z.output<typeof schema>['MANAGEMENT_AUTH'];
  tablePrefix: string;
  /** Local only: another DynamoDB than the stand-in, and another place of the stand-in. */
  dynamoDbEndpoint: string | undefined;
  dynoxideBin: string | undefined;
}

/** Settings that stop the start, one line each: the variable, what it was, what it may be. */
export class ConfigError extends Error {}

/**
 * Reads the settings (api 9). `local` chooses the defaults that differ between one machine and the cloud.
 * An empty variable counts as unset. @throws ConfigError naming every bad variable.
 */
export function readConfig(environment: Record<string, string | undefined>, local: boolean): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (!result.success) {
    throw new ConfigError(
      result.error.issues
        .map((issue) => `${String(issue.path[0])}=${given[String(issue.path[0])] ?? ''}: ${issue.message}`)
        .join('\n'),
    );
  }
  const settings = result.data;
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: settings.DATA_DIR,
    baseUrl: (settings.BASE_URL ?? `http://${nameOf(settings.HOST)}:${settings.PORT}`).replace(/\/+$/, ''),
    bidTtlMs: settings.BID_TTL_SECONDS * 1000,
    webhookBackoffMs: settings.WEBHOOK_BACKOFF_SECONDS.map((delay) => delay * 1000),
    webhookTimeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
    webhookConcurrencyPerOwner: settings.WEBHOOK_CONCURRENCY_PER_OWNER,
    webhookAllowLocal: settings.WEBHOOK_ALLOW_LOCAL ?? local,
    campaignRefreshMs: (settings.CAMPAIGN_REFRESH_SECONDS ?? (local ? 0 : 1)) * 1000,
    maxCampaignsPerUser: settings.MAX_CAMPAIGNS_PER_USER,
    logLevel: settings.LOG_LEVEL,
    managementAuth: settings.MANAGEMENT_AUTH,
    tablePrefix: settings.TABLE_PREFIX,
    dynamoDbEndpoint: settings.AWS_ENDPOINT_URL_DYNAMODB,
    dynoxideBin: settings.DYNOXIDE_BIN,
  };
}

/** What a browser on this machine calls an address that a server listens on: no other name reaches one that is not loopback or all. */
function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** The one place that reads the environment. `free`: the port that PORT=0 (any) shall mean. */
export const configFromEnvironment = (local: boolean, free?: { port: number }): Config => {
  const isAny = free && process.env.PORT === '0';
  return readConfig(isAny ? { ...process.env, PORT: String(free.port) } : process.env, local);
};
