/** List prices in US dollars: us-east-1, without free tiers and discounts for much. */
export const LISTED = { on: '2026-11-20', region: 'us-east-1' };

const MILLION = 1e6;
const GB = 2 ** 30;

export const prices = {
  /** Requests of up to 512 KB to an HTTP API. */
  httpRequest: 1 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** A second of a gigabyte of memory, on arm64. */
  lambdaGbSecond: 0.0000133334,
  /** On demand, the standard class. Reading a stream costs nothing where Lambda does it. */
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  /** A byte for a month, and again for the copy to set it back from. */
  tableByteMonth: (0.25 + 0.2) / GB,
  /** Of a standard queue; those that name a group cost more. */
  queueRequest: 0.4 / MILLION,
  groupSurcharge: 0.1 / MILLION,
  logByte: 0.5 / GB,
  /** Where nobody counts by millions: a month of one metric, and of one alarm for each metric in it. */
  metricMonth: 0.3,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  /** Assumed for the second opinion: a small model, Amazon Nova Micro on demand. Another's price goes here. */
  modelTokenSent: 0.035 / MILLION,
  modelTokenAnswered: 0.14 / MILLION,
} as const;
