/** List prices in US dollars for us-east-1, without free tiers or volume discounts. */
export const LISTED = { on: '2026-11-20', region: 'us-east-1' };

const MILLION = 1e6;
const GB = 2 ** 30;

export const prices = {
  /** Per request of up to 512 KB to an HTTP API. */
  httpRequest: 1 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** Per GB-second on arm64. */
  lambdaGbSecond: 0.0000133334,
  /** On-demand capacity, standard table class. Lambda reads streams for free. */
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  /** Per byte and month, plus the backup for point-in-time recovery. */
  tableByteMonth: (0.25 + 0.2) / GB,
  /** Per request to a standard queue. Requests with a message group cost more. */
  queueRequest: 0.4 / MILLION,
  groupSurcharge: 0.1 / MILLION,
  logByte: 0.5 / GB,
  /** Per month, in the first tier: a metric, and each metric of an alarm. */
  metricMonth: 0.3,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  /** Assumption for the second opinion: Amazon Nova Micro on demand. Change the price for another model. */
  modelTokenSent: 0.035 / MILLION,
  modelTokenAnswered: 0.14 / MILLION,
} as const;
