import type { NoBidReason } from './values/outcomes.ts';

/** What is measured, and in which of CloudWatch's units; Spend is in US dollars, which it has no unit for. */
export const UNITS = {
  Bids: 'Count',
  MatchTime: 'Milliseconds',
  /** How old what a bid knew of the campaigns was, where that is older than CAMPAIGN_REFRESH_SECONDS. */
  CatalogAge: 'Milliseconds',
  /** Second opinions: asked for; had in time, not had in time, or refused or unreadable; and not asked for since they failed too often. */
  JudgeAsked: 'Count',
  JudgeAnswered: 'Count',
  JudgeLate: 'Count',
  JudgeFailed: 'Count',
  /** Of the failed ones, and of suggestions: refused for lack of permissions. It does not pass by itself. */
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

/** The namespace in CloudWatch; the stage stands in the dimension `service`. */
export const NAMESPACE = 'ConversationAds';
export const getServiceName = (tablePrefix: string): string => tablePrefix.replace(/-$/, '') || 'ads';

/** Figures for the operators' graphs. Accounts are never kept by them: an instance that ends takes along what it has not flushed. */
export interface Metrics {
  add(name: MetricName, value?: number): void;
  /** The end of a request or a batch: a chance to write down what was added. */
  flush(): void;
}

/** For environments without graphs: a single machine, most tests. */
export const noMetrics: Metrics = { add() {}, flush() {} };
