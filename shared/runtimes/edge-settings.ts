import { type Config, ConfigError, readConfig } from '../platform/config.ts';

/** What a Worker is bound to: settings and secrets are texts, the rest are services of its runtime. */
export type Bindings = Readonly<Record<string, unknown>>;

export interface EdgeSettings {
  config: Config;
  /** The service in its region; no slash at the end. */
  originUrl: string;
  /** With more campaigns than this, bids are the origin's; 0 leaves all of them to it. */
  mostCampaigns: number;
  /** Where the tables are, and who may use them. */
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

const ORIGIN = /^https?:\/\/[^/?#@\s]+$/;
const MOST_CAMPAIGNS = 30_000;

/** Reads the settings of a Worker. @throws ConfigError naming what is missing or bad; never a secret */
export function readEdgeSettings(bindings: Bindings): EdgeSettings {
  const faults: string[] = [];
  const textOf = (name: string): string => {
    const value = bindings[name];
    return typeof value === 'string' ? value : '';
  };
  const demand = (name: string): string => {
    const value = textOf(name);
    if (!value) faults.push(`${name}: must be set`);
    return value;
  };
  const originUrl = demand('ORIGIN_URL').replace(/\/+$/, '');
  if (originUrl && !ORIGIN.test(originUrl)) faults.push('ORIGIN_URL: must be an address such as https://ads.example');
  demand('BASE_URL');
  const most = Number(textOf('EDGE_MOST_CAMPAIGNS') || MOST_CAMPAIGNS);
  if (!Number.isSafeInteger(most) || most < 0) faults.push('EDGE_MOST_CAMPAIGNS: must be a whole number, 0 or more');
  const settings = {
    config: readConfig(texts(bindings), false),
    originUrl,
    mostCampaigns: most,
    region: demand('AWS_REGION'),
    credentials: { accessKeyId: demand('AWS_ACCESS_KEY_ID'), secretAccessKey: demand('AWS_SECRET_ACCESS_KEY') },
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return settings;
}

const texts = (bindings: Bindings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
