import type { JudgeSettings } from './language-model.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';

const DAY_SECONDS = 86_400;
const MANAGEMENT_AUTHS = ['header', 'jwt', 'iam'] as const;
const JUDGES = ['off', 'openai', 'bedrock'] as const;

export interface Config {
  /** Local only: where the server listens. */
  host: string;
  port: number;
  dataDir: string;
  /** Start of every URL that the service hands out, without a slash at the end. */
  baseUrl: string;
  bidTtlMs: number;
  webhookBackoffMs: readonly number[];
  webhookTimeoutMs: number;
  /** Maximum concurrent requests to all receivers of one owner. */
  webhookConcurrencyPerOwner: number;
  webhookAllowLocal: boolean;
  /** Local only: whether to create demo campaigns and a demo key. The demo key is public. */
  demoData: boolean;
  campaignRefreshMs: number;
  maxCampaignsPerOwner: number;
  maxCampaignBytesPerOwner: number;
  /** Whether budgets may open shards. Open shards are charged and closed regardless of this setting. */
  budgetShards: boolean;
  /** Owners whose creatives are not reviewed. */
  creativeReviewExempt: readonly string[];
  /** Maximum impressions that one key may offer per second through the exchange APIs. */
  exchangeRequestsPerSecond: number;
  /** The publisher's share of each charge, in ten-thousandths. */
  publisherShare: number;
  logLevel: LogLevel;
  /** How the owner of a request is identified: the header x-user-id, or the identity verified by the gateway. */
  managementAuth: (typeof MANAGEMENT_AUTHS)[number];
  /** The language model that gives second opinions on bids; undefined if JUDGE is off. */
  judge: JudgeSettings | undefined;
  tablePrefix: string;
  /** Local only: an endpoint instead of the DynamoDB stand-in, or the path of its binary. */
  dynamoDbEndpoint: string | undefined;
  dynoxideBin: string | undefined;
}

/** Invalid settings, which prevent the start. The message has one line per setting: the variable, its value, and the valid values. */
export class ConfigError extends Error {}

/** Parses the value of a setting. @throws ConfigError with the valid values */
type Parser<T> = (text: string) => T;

function must(isRight: boolean, rule: string): void {
  if (!isRight) throw new ConfigError(rule);
}

const text = (shape: RegExp, rule: string): Parser<string> => {
  return (value) => {
    must(shape.test(value), rule);
    return value;
  };
};

const oneOf = <const T extends readonly string[]>(values: T): Parser<T[number]> => {
  return (value) => {
    must(values.includes(value), `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    return value;
  };
};

const yesOrNo: Parser<boolean> = (value) => oneOf(['true', 'false'])(value) === 'true';

const whole = (what: string, min: number, max: number, { unit = '', exact = `whole ${what}` } = {}): Parser<number> => {
  return (value) => {
    const number = Number(value);
    must(Number.isFinite(number), `must be a ${what}`);
    must(Number.isSafeInteger(number), `must be a ${exact}`);
    must(min <= number && number <= max, `must be ${min} to ${max}${unit}`);
    return number;
  };
};

/** Parses a share from 0 to 1 into ten-thousandths, because money is calculated in integers. */
const share: Parser<number> = (value) => {
  const number = Number(value);
  must(number >= 0 && number <= 1 && /^[\d.]+$/.test(value), 'must be a share from 0 to 1, such as 0.7');
  must(/^\d*\.?\d{0,4}$/.test(value), 'must have at most 4 decimals');
  return Math.round(number * 10_000);
};

const milliseconds = ({ min = 0, max = DAY_SECONDS } = {}): Parser<number> => {
  return (value) => {
    const seconds = Number(value);
    must(Number.isFinite(seconds), 'must be a number of seconds');
    must(seconds >= min, `must be ${min} or more seconds`);
    must(seconds <= max, `must be at most ${max} seconds`);
    return seconds * 1000;
  };
};

const url = (rule: string, scheme = /^/): Parser<string> => {
  return (value) => {
    must(URL.canParse(value) && scheme.test(value.trim()), rule);
    return value.trim();
  };
};

/**
 * The endpoint receives conversations, so it must use https or be on this machine. Credentials in the URL would be logged, and a fragment
 * is never sent.
 */
const JUDGE_URL = /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/?]|$))[^@#]*$/i;
const JUDGE_URL_RULE =
  'must be an https URL, or an http URL of this machine such as http://127.0.0.1:11434/v1, without credentials or a fragment';

const DELAYS = /^\d+(\.\d+)?(,\d+(\.\d+)?)*$/;
/** SQS hides a message for at most 12 hours. */
const MAX_DELAY_SECONDS = 43_200;

const delays: Parser<number[]> = (value) => {
  must(DELAYS.test(value), 'must be delays in seconds with commas between, such as 1,4,16,64,256');
  const seconds = value.split(',').map(Number);
  must(Math.max(...seconds) <= MAX_DELAY_SECONDS, `must be delays of at most ${MAX_DELAY_SECONDS} seconds each`);
  return seconds.map((delay) => delay * 1000);
};

/**
 * Reads the settings (api 9). `local` selects the defaults of a single machine instead of the cloud. An empty variable counts as unset.
 * Does not use zod, which would be a third of the code that a click loads.
 * @throws ConfigError that names every invalid variable
 */
export function readConfig(environment: Environment, local: boolean): Config {
  const faults: string[] = [];

  function read<T, D>(name: string, parse: Parser<T>, otherwise: D): T | D {
    const value = environment[name];
    if (!value) return otherwise;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(`${name}=${value}: ${error.message}`);
      return otherwise;
    }
  }

  const host = read(
    'HOST',
    text(/^([\w.:%-]+|\[[\w.:%]+\])$/, 'must be an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0'),
    '127.0.0.1',
  ).replace(/^\[|\]$/g, ''); // An IPv6 address may be in brackets, as in a URL.
  const port = read('PORT', whole('port', 0, 65_535, { exact: 'whole port number' }), 3000);
  const config: Config = {
    host,
    port,
    dataDir: environment.DATA_DIR || '.data',
    baseUrl: read(
      'BASE_URL',
      url('must be an http(s) URL such as https://ads.example', /^https?:\/\//i),
      `http://${toHostName(host)}:${port}`,
    ).replace(/\/+$/, ''),
    // At 0, every bid would expire before its ad can be retrieved.
    bidTtlMs: read('BID_TTL_SECONDS', milliseconds({ min: 1 }), 300_000),
    webhookBackoffMs: read('WEBHOOK_BACKOFF_SECONDS', delays, [1_000, 4_000, 16_000, 64_000, 256_000]),
    // The function that delivers has a timeout of 15 seconds.
    webhookTimeoutMs: read('WEBHOOK_TIMEOUT_SECONDS', milliseconds({ min: 0.1, max: 10 }), 10_000),
    // The maximum is an eighth of the 1,000 deliveries that an event source can process at once.
    webhookConcurrencyPerOwner: read(
      'WEBHOOK_CONCURRENCY_PER_OWNER',
      whole('number of requests', 1, 125, { unit: ' requests' }),
      8,
    ),
    // A caller from another machine could reach this machine's other services through a webhook.
    webhookAllowLocal: read('WEBHOOK_ALLOW_LOCAL', yesOrNo, local && isLoopback(host)),
    demoData: read('DEMO_DATA', yesOrNo, local && isLoopback(host)),
    campaignRefreshMs: read('CAMPAIGN_REFRESH_SECONDS', milliseconds(), local ? 0 : 1_000),
    maxCampaignsPerOwner: read('MAX_CAMPAIGNS_PER_USER', whole('number of campaigns', 1, 1_000_000), 10_000),
    maxCampaignBytesPerOwner: read('MAX_CAMPAIGN_MIB_PER_USER', whole('number of MiB', 1, 1_024), 32) * 1024 ** 2,
    budgetShards: read('BUDGET_SHARDS', yesOrNo, false),
    creativeReviewExempt: (environment.CREATIVE_REVIEW_EXEMPT ?? '')
      .split(',')
      .map((owner) => owner.trim())
      .filter(Boolean),
    exchangeRequestsPerSecond: read(
      'EXCHANGE_REQUESTS_PER_SECOND',
      whole('number of impressions', 10, 1_000, { unit: ' impressions' }),
      200,
    ),
    publisherShare: read('PUBLISHER_SHARE', share, 10_000),
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
    managementAuth: read('MANAGEMENT_AUTH', oneOf(MANAGEMENT_AUTHS), 'header'),
    judge: readJudge(environment, read, faults, local),
    tablePrefix: read('TABLE_PREFIX', text(/^[\w.-]*$/, 'must be letters, digits, _ . -'), 'ads-'),
    dynamoDbEndpoint: read('AWS_ENDPOINT_URL_DYNAMODB', url('must be a URL'), undefined),
    dynoxideBin: environment.DYNOXIDE_BIN || undefined,
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

type Environment = Record<string, string | undefined>;
type Read = <T, D>(name: string, parse: Parser<T>, otherwise: D) => T | D;

/** Reads the settings of the judge. Error messages never contain the key or the URL, which can include secrets. */
function readJudge(environment: Environment, read: Read, faults: string[], local: boolean): JudgeSettings | undefined {
  const protocol = read('JUDGE', oneOf(JUDGES), 'off');
  const limit = whole('number of milliseconds', 50, 700, { unit: ' milliseconds' });
  const timeoutMs = read('JUDGE_TIMEOUT_MS', limit, 350);
  const { JUDGE_MODEL: model = '', JUDGE_URL: address = '', JUDGE_KEY: key, JUDGE_KEY_SECRET: keySecret } = environment;
  if (address && !(URL.canParse(address) && JUDGE_URL.test(address))) faults.push(`JUDGE_URL: ${JUDGE_URL_RULE}`);
  if (key && !local) faults.push('JUDGE_KEY: must not be set in the cloud; name its secret in JUDGE_KEY_SECRET');
  if (protocol === 'off') return undefined;
  if (!model) faults.push(`JUDGE=${protocol}: needs JUDGE_MODEL`);
  if (protocol === 'openai' && !address) faults.push('JUDGE=openai: needs JUDGE_URL');
  return { protocol, model, timeoutMs, url: address, key: key || undefined, keySecret: keySecret || undefined };
}

/** The host name in local URLs for the address that the server listens on. `localhost` only reaches loopback and all-interface addresses. */
function toHostName(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return inUrl(host);
}

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Loopback hosts as the URL standard serializes them: ::ffff:127.0.0.1 becomes ::ffff:7f00:1. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

/** Whether only this machine can reach a server on this host, in any spelling of the address. False for names other than localhost. */
export function isLoopback(host: string): boolean {
  const url = `http://${inUrl(host)}`;
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/** Reads the settings from the environment; nothing else may do so. @param free the port to use for PORT=0 (any port) */
export const configFromEnvironment = (local: boolean, free?: { port: number }): Config => {
  const isAny = free && process.env.PORT === '0';
  return readConfig(isAny ? { ...process.env, PORT: String(free.port) } : process.env, local);
};
