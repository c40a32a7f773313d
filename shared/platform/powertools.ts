import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import type { Clock } from './clock.ts';
import { gate, type Log, type LogLevel } from './log.ts';
import { getServiceName, getUnit, type Metrics, NAMESPACE, noMetrics } from './metrics.ts';

/** Formats lines with the field names that the dashboard queries. Powertools itself writes levels in capitals. */
class LineFormatter extends LogFormatter {
  formatAttributes({ timestamp, logLevel, message }: UnformattedAttributes, fields: LogAttributes): LogItem {
    return new Line({
      attributes: { timestamp: timestamp.toISOString(), level: logLevel.toLowerCase(), message, ...fields },
    });
  }
}

class Line extends LogItem {
  /** Keeps null and empty fields, which Powertools would drop: `reason: null` means that a click counts. */
  override prepareForPrint(): void {}
}

/** The log of a deployed function. */
export function powertoolsLog(minLevel: LogLevel): Log {
  // `gate` applies LOG_LEVEL. Powertools would prefer Lambda's own level (infra/functions.ts).
  const logger = new Logger({ logLevel: 'DEBUG', logFormatter: new LineFormatter() });
  return gate(minLevel, (level, message, fields) => logger[level](message, fields));
}

/**
 * The metrics of a deployed function: log lines that CloudWatch turns into metrics (embedded metric format). A metrics line takes at least
 * 250 bytes, and the line of a request takes 150. To save bytes, an instance writes its first metrics at once, and then one line per
 * `everyMs`. Without a log there are no metrics.
 */
export function powertoolsMetrics(
  tablePrefix: string,
  least: LogLevel,
  clock: Pick<Clock, 'now'>,
  everyMs: number,
): Metrics {
  if (least === 'silent') return noMetrics;
  const metrics = new PowertoolsMetrics({ namespace: NAMESPACE, serviceName: getServiceName(tablePrefix) });
  let publishedAt = Number.NEGATIVE_INFINITY;
  return {
    add(name, value = 1) {
      metrics.addMetric(name, getUnit(name), value);
    },
    flush() {
      const now = clock.now();
      if (!metrics.hasStoredMetrics() || now - publishedAt < everyMs) return;
      metrics.publishStoredMetrics();
      publishedAt = now;
    },
  };
}
