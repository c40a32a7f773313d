import type { NoBidReason } from './values/outcomes.ts';

/** The metrics and their CloudWatch units. Spend is in US dollars, for which CloudWatch has no unit. */
export const UNITS = {
  Bids: 'Count',
  MatchTime: 'Milliseconds',
  /** Age of the catalog that a bid used, if it exceeds CAMPAIGN_REFRESH_SECONDS. */
  CatalogAge: 'Milliseconds',
  /** Second opinions: requested; received in time, too late, failed or malformed; and skipped after too many failures. */
  JudgeAsked: 'Count',
  JudgeAnswered: 'Count',
  JudgeLate: 'Count',
  JudgeFailed: 'Count',
  /** Opinions and suggestions that failed for lack of permissions, which an operator must fix. */
  JudgeDenied: 'Count',
  JudgeCircuitOpen: 'Count',
  Impressions: 'Count',
  Clicks: 'Count',
  Conversions: 'Count',
  Spend: 'None',
  Delivered: 'Count',
  Retried: 'Count',
  GivenUp: 'Count',
  DeliveryAge: 'Seconds',
} as const;
export type MetricName = keyof typeof UNITS | `NoBids.${NoBidReason}`;

/** No-bids are counted under a name for each reason. */
const units: { readonly [M in MetricName]?: (typeof UNITS)[keyof typeof UNITS] } = UNITS;
export const getUnit = (name: MetricName) => units[name] ?? 'Count';

/** The namespace in CloudWatch. The dimension `service` names the stage. */
export const NAMESPACE = 'ConversationAds';
export const getServiceName = (tablePrefix: string): string => tablePrefix.replace(/-$/, '') || 'ads';

/** Metrics for operators' graphs. Never use them for accounting: an instance that ends loses whatever it has not flushed. */
export interface Metrics {
  add(name: MetricName, value?: number): void;
  /** Called at the end of a request or batch; may write the metrics added so far. */
  flush(): void;
}

/** For environments without graphs: a single machine, most tests. */
export const noMetrics: Metrics = { add() {}, flush() {} };
