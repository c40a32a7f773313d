import { rmSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { defaultProduction } from '../../infra/settings.ts';
import { AdsStack } from '../../infra/stack.ts';
import { endpointNames } from '../../shared/http/operations/endpoints.ts';
import { UNITS } from '../../shared/platform/metrics.ts';
import { noBidReasons } from '../../shared/platform/values/outcomes.ts';
import { prices } from './prices.ts';

/**
 * Units per campaign (20 keywords) for each snapshot write, as counted by `npm run bench -- load`: for 100,000 campaigns, 26,300 write units
 * and 16,490 read units for the index, plus up to a tenth more reads to detect that enough campaigns changed.
 */
export const SNAPSHOT_WRITES = 0.263;
const SNAPSHOT_READS = 0.165 + 0.0165;
/** The maximum: every five minutes, if a tenth of all campaigns changes or spends in that time. */
const SNAPSHOTS_PER_MONTH = 12 * 24 * 30;

/**
 * The monthly cost of a prod stack with this many active campaigns and no traffic. Alarms are billed per metric, and workers poll queues
 * constantly.
 */
export function fixedCosts(campaigns: number): Record<string, number> {
  const app = new App();
  const stack = new AdsStack(app, 'cost', {
    settings: defaultProduction(),
    getCode: () => Code.fromInline('// empty'),
  });
  const alarms = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
  rmSync(app.outdir, { recursive: true });
  const watched = alarms.reduce((sum, { Properties }) => sum + (Properties.Metrics?.filter(isMeasured).length ?? 1), 0);
  return {
    'fixed: alarms': watched * prices.alarmMonth,
    'fixed: own metrics': (Object.keys(UNITS).length + noBidReasons.length) * prices.metricMonth,
    'fixed: route metrics, most': endpointNames.length * METRICS_PER_ROUTE * prices.metricMonth,
    'fixed: dashboard': prices.dashboardMonth,
    'fixed: SQS': EMPTY_RECEIVES * prices.queueRequest,
    'fixed: snapshot, at most':
      campaigns * SNAPSHOTS_PER_MONTH * (SNAPSHOT_WRITES * prices.writeUnit + SNAPSHOT_READS * prices.readUnit),
  };
}

/** The gateway's detailed metrics per route: count, 4xx, 5xx, latency, integration latency, and bytes. */
const METRICS_PER_ROUTE = 6;

const isMeasured = ({ MetricStat }: { MetricStat?: object }): boolean => MetricStat !== undefined;
/** Lambda polls a queue with five pollers, each for twenty seconds at a time. */
const EMPTY_RECEIVES = ((5 * 86_400) / 20) * 30;
