import type { EndpointName } from '../shared/operations/endpoints.ts';
import { keysOf } from '../shared/values/typed.ts';
import type { FunctionName } from './bundle.ts';
import type { Settings } from './settings.ts';

/** An operation that a conversation or a reader waits for. */
interface Hot {
  /** What the service promises, in milliseconds: this percentile of the answers comes within this time. */
  promise: { percentile: number; ms: number };
  /** Its part of the concurrent runs that are reserved for hot functions: most of what they are asked is bids. */
  share: number;
}

/** The operations that are watched one by one and rolled out gradually. */
export const hot: { readonly [N in EndpointName]?: Hot } = {
  'ssp/bid': { promise: { percentile: 99, ms: 1000 }, share: 1 / 2 },
  'ssp/ad': { promise: { percentile: 99, ms: 3000 }, share: 1 / 4 },
  'click/redirect': { promise: { percentile: 95, ms: 200 }, share: 1 / 4 },
};

export const hotNames = keysOf(hot);

/** They carry an HTTP client of their own, which alone can be told where it may connect. */
const SENDERS: readonly FunctionName[] = ['webhooks/test', 'events/deliver'];

/** They read conversations or campaigns, and so carry the stemmers of many languages: 124 KB, compiled only where one is called. */
const MATCHERS: readonly FunctionName[] = [
  'ssp/bid',
  'openrtb2/bid',
  'trusted-match/context',
  'legacy/request',
  'campaigns/create',
  'campaigns/update',
  'campaigns/preview',
  'schedules/write-snapshot',
];

/** Bytes that a function's bundle may have: what a cold start must read and compile before it can answer. */
export function mostBytes(name: FunctionName): number {
  if (SENDERS.includes(name)) return 1_152 * 1024;
  // The sample of conversations and what keywords are near each other: 73 KB more, and nobody's reader waits for it.
  if (name === 'campaigns/preview') return 704 * 1024;
  if (MATCHERS.includes(name)) return 672 * 1024;
  return (hotNames.some((hot) => hot === name) ? 320 : 560) * 1024;
}

/** Concurrent runs that deliveries and other functions of the account cannot take from a hot function; none unless a stage asks for them. */
export function reservedFor(
  name: EndpointName,
  { hotConcurrency }: Pick<Settings, 'hotConcurrency'>,
): number | undefined {
  const row = hot[name];
  return row && hotConcurrency > 0 ? Math.max(1, Math.floor(hotConcurrency * row.share)) : undefined;
}
