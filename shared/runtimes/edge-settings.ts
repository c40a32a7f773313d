import { type Config, ConfigError, readConfig } from '../platform/config.ts';

/** What a Worker is bound to: settings and secrets are texts, numbers or booleans, the rest are services of its runtime. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface EdgeSettings {
  config: Config;
  /** With more campaigns than this, bids are the origin's; 0 leaves all of them to it. */
  mostCampaigns: number;
  /** Where the tables are, and who may use them. */
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

const MOST_CAMPAIGNS = 30_000;

/**
 * Where the service in its region is; no slash at the end. It is read by itself: while another setting is wrong, that can still answer.
 * @throws ConfigError
 */
export function readOriginUrl(bindings: Bindings): string {
  const { ORIGIN_URL = '', BASE_URL = '' } = texts(bindings);
  if (!ORIGIN_URL) throw new ConfigError('ORIGIN_URL: must be set');
  const url = URL.parse(ORIGIN_URL.replace(/\/+$/, ''));
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new ConfigError('ORIGIN_URL: must be an address such as https://ads.example');
  if (url.origin === URL.parse(BASE_URL)?.origin)
    throw new ConfigError('ORIGIN_URL: must be another address than BASE_URL, where the Worker itself answers');
  return url.origin;
}

/** Reads the settings of a Worker, but for its origin. @throws ConfigError naming what is missing or bad; never a secret */
export function readEdgeSettings(bindings: Bindings): EdgeSettings {
  const faults: string[] = [];
  const set = texts(bindings);
  const demand = (name: string, form = /(?:)/): string => {
    const value = set[name] ?? '';
    if (!value) faults.push(`${name}: must be set`);
    else if (!form.test(value))
      faults.push(`${name}: has a character that none of its kind has, a blank or the end of a line perhaps`);
    return value;
  };
  demand('BASE_URL');
  demand('TABLE_PREFIX');
  const most = set.EDGE_MOST_CAMPAIGNS || String(MOST_CAMPAIGNS);
  if (!/^\d{1,9}$/.test(most)) faults.push('EDGE_MOST_CAMPAIGNS: must be a whole number, 0 or more');
  const settings = {
    config: readConfig(set, false),
    mostCampaigns: Number(most),
    region: demand('AWS_REGION', /^[a-z0-9-]+$/),
    credentials: {
      accessKeyId: demand('AWS_ACCESS_KEY_ID', /^\w+$/),
      secretAccessKey: demand('AWS_SECRET_ACCESS_KEY', /^[!-~]+$/),
    },
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return settings;
}

/** The settings among the bindings: in wrangler's `vars` a number or a boolean may stand without quotes. */
const texts = (bindings: Bindings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) =>
      /^(string|number|boolean)$/.test(typeof value) ? [[name, String(value)]] : [],
    ),
  );
