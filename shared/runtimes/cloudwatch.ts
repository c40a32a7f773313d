import { type Clock, isoTime } from '../platform/clock.ts';
import { gate, type Log, type LogLevel } from '../platform/log.ts';
import { type MetricName, type Metrics, NAMESPACE, noMetrics, serviceOf, unitOf } from '../platform/metrics.ts';

type Now = Pick<Clock, 'now'>;

/** A line of the log. Lambda's console would put it into a line of its own, with the request's id once more. */
const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** The log of a deployed function. A line is as it is locally, with its time: Lambda heeds a level only beside one. */
export const cloudLog = (least: LogLevel, clock: Now): Log =>
  gate(least, (level, message, fields) => write({ timestamp: isoTime(clock.now()), level, message, ...fields }));

/** Values of one metric that CloudWatch takes from a line. */
const MOST_VALUES = 100;

/**
 * The metrics of a deployed function, as lines of the log that CloudWatch makes metrics of ("Specification: Embedded metric format", Amazon
 * CloudWatch User Guide). One such line takes 250 bytes and more, a request's own 150: so the first of an instance is written at once, and from
 * then on one for all values of `everyMs`. A log that is silent has none.
 */
export function cloudMetrics(tablePrefix: string, least: LogLevel, clock: Now, everyMs: number): Metrics {
  if (least === 'silent') return noMetrics;
  const service = serviceOf(tablePrefix);
  const held = new Map<MetricName, number[]>();
  let writtenAt = Number.NEGATIVE_INFINITY;

  function writeAll(now: number): void {
    const names = [...held.keys()].map((Name) => ({ Name, Unit: unitOf(Name) }));
    const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [['service']], Metrics: names }];
    write({ _aws: { Timestamp: now, CloudWatchMetrics }, service, ...Object.fromEntries(held) });
    held.clear();
    writtenAt = now;
  }

  return {
    add(name, value = 1) {
      const values = held.get(name) ?? [];
      values.push(value);
      held.set(name, values);
      if (values.length === MOST_VALUES) writeAll(clock.now());
    },
    flush() {
      const now = clock.now();
      if (held.size > 0 && now - writtenAt >= everyMs) writeAll(now);
    },
  };
}
