import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { Metrics as EmbeddedMetrics } from '@aws-lambda-powertools/metrics';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { gate, type Log } from '../platform/log.ts';
import { type Metrics, NAMESPACE, serviceOf, unitOf } from '../platform/metrics.ts';

/**
 * A line as it is locally, with its time: Lambda heeds a level only beside one. Powertools' own line repeats the service, the
 * sampling rate and the trace in each; that alone would be as long as all that a bid may log.
 */
class Line extends LogFormatter {
  formatAttributes({ logLevel, timestamp, message }: UnformattedAttributes, fields: LogAttributes): LogItem {
    const attributes = { timestamp: this.formatTimestamp(timestamp), level: logLevel.toLowerCase(), message };
    return new LogItem({ attributes }).addAttributes(fields);
  }
}

/** The log of a deployed function. LOG_LEVEL decides before Powertools, which would heed Lambda's own setting instead. */
export function cloudLog(least: Config['logLevel']): Log {
  const logger = new Logger({ logFormatter: new Line(), logLevel: 'DEBUG' });
  return gate(least, (level, message, fields = {}) => logger[level](message, fields));
}

/**
 * The metrics of a deployed function, in the embedded metric format: lines of the log that CloudWatch makes metrics of. One such
 * line takes 250 bytes and more, a request's own 150: so the first of an instance is written at once, and from then on one
 * for all values of `everyMs`.
 */
export function cloudMetrics(tablePrefix: string, clock: Pick<Clock, 'now'>, everyMs: number): Metrics {
  const metrics = new EmbeddedMetrics({ namespace: NAMESPACE, serviceName: serviceOf(tablePrefix) });
  let flushedAt = Number.NEGATIVE_INFINITY;
  return {
    add: (name, value = 1) => void metrics.addMetric(name, unitOf(name), value),
    flush() {
      const now = clock.now();
      if (!metrics.hasStoredMetrics() || now - flushedAt < everyMs) return;
      flushedAt = now;
      metrics.publishStoredMetrics();
    },
  };
}
