import { systemClock } from '../../platform/clock.ts';
import { type Config, ConfigError, readConfig } from '../../platform/config.ts';
import { openDatabase } from '../../platform/dynamodb.ts';
import type { Effects } from '../../platform/effects.ts';
import { systemIds } from '../../platform/ids.ts';
import { gate, type Log, type LogLevel } from '../../platform/log.ts';
import { type Metrics, noMetrics, serviceOf } from '../../platform/metrics.ts';
import { withPendingCalls } from '../../platform/pending-calls.ts';

/** What a Worker is bound to: settings and secrets are strings, numbers, or booleans; the rest are services of its runtime. */
export type Bindings = Readonly<Record<string, unknown>>;

interface StoreSettings {
  config: Config;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** Workers Analytics Engine, whose points have positions instead of names. */
interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** The effects of the operations that a Worker answers itself. @throws ConfigError */
export function workerEffects(bindings: Bindings): Effects {
  const { config, region, credentials } = readStoreSettings(bindings);
  const { tablePrefix, dynamoDbEndpoint: endpoint, logLevel } = config;
  const [clock, ids] = [systemClock, systemIds];
  return withPendingCalls({
    config,
    clock,
    ids,
    log: workerLog(logLevel),
    metrics: isDataset(bindings.METRICS) ? datasetMetrics(bindings.METRICS, serviceOf(tablePrefix)) : noMetrics,
    db: openDatabase({ prefix: tablePrefix, clock, ids, client: { region, credentials, endpoint } }),
    resolve: async () => [], // Only deliveries of webhooks look up names.
  });
}

/** Workers Logs takes the level from the console's method and the fields from the JSON. Powertools does not run in workerd. */
export const workerLog = (least: LogLevel): Log =>
  gate(least, (level, message, fields) => console[level](JSON.stringify({ level, message, ...fields })));

/** One point per value: metric, service, value. The runtime sends points after the response. */
const datasetMetrics = (dataset: Dataset, service: string): Metrics => ({
  add: (name, value = 1) => dataset.writeDataPoint({ indexes: [name], blobs: [service], doubles: [value] }),
  flush() {},
});

const isDataset = (binding: unknown): binding is Dataset => binding instanceof Object && 'writeDataPoint' in binding;

/** The address of the service in its region, without a slash at the end. @throws ConfigError */
export function readOriginUrl(bindings: Bindings): string {
  const { ORIGIN_URL = '', BASE_URL = '' } = textsOf(bindings);
  if (!ORIGIN_URL) throw new ConfigError('ORIGIN_URL: must be set');
  const url = URL.parse(ORIGIN_URL.replace(/\/+$/, ''));
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new ConfigError('ORIGIN_URL: must be an address such as https://ads.example');
  if (url.origin === URL.parse(BASE_URL)?.origin)
    throw new ConfigError('ORIGIN_URL: must differ from BASE_URL, or the Worker would forward requests to itself');
  return url.origin;
}

/** @throws ConfigError naming every wrong setting, never a secret's value */
function readStoreSettings(bindings: Bindings): StoreSettings {
  const texts = textsOf(bindings);
  const faults: string[] = [];
  const read = (name: string, shape = /./): string => {
    const value = texts[name] ?? '';
    if (!value) faults.push(`${name}: must be set`);
    else if (!shape.test(value))
      faults.push(`${name}: contains a character that does not belong there, such as a space`);
    return value;
  };
  read('BASE_URL');
  read('TABLE_PREFIX');
  const settings = {
    config: readConfig(texts, false),
    region: read('AWS_REGION', /^[a-z0-9-]+$/),
    credentials: {
      accessKeyId: read('AWS_ACCESS_KEY_ID', /^\w+$/),
      secretAccessKey: read('AWS_SECRET_ACCESS_KEY', /^[!-~]+$/),
    },
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return settings;
}

/** In wrangler's `vars`, numbers and booleans may stand without quotes. */
const textsOf = (bindings: Bindings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) =>
      /^(string|number|boolean)$/.test(typeof value) ? [[name, String(value)]] : [],
    ),
  );
