import type { EndpointName } from '../shared/http/operations/endpoints.ts';
import { keysOf } from '../shared/platform/values/typed.ts';
import type { Settings } from './settings.ts';

/** An operation that a conversation or a reader waits for. */
interface HotFunction {
  /** What the service promises, in milliseconds: this percentile of the answers comes within this time. */
  promise: { percentile: number; ms: number };
  /** Its part of the concurrent runs that are reserved for hot functions: most of what they are asked is bids. */
  share: number;
}

/** The operations that are watched one by one and rolled out gradually. */
export const hot: { readonly [N in EndpointName]?: HotFunction } = {
  'ssp/bid': { promise: { percentile: 99, ms: 1000 }, share: 1 / 2 },
  'ssp/ad': { promise: { percentile: 99, ms: 3000 }, share: 1 / 4 },
  'click/redirect': { promise: { percentile: 95, ms: 200 }, share: 1 / 4 },
};

export const hotNames = keysOf(hot);

/** Concurrent runs that deliveries and other functions of the account cannot take from a hot function; none unless a stage asks for them. */
export function getReservedConcurrency(
  name: EndpointName,
  { hotConcurrency }: Pick<Settings, 'hotConcurrency'>,
): number | undefined {
  const row = hot[name];
  return row && hotConcurrency > 0 ? Math.max(1, Math.floor(hotConcurrency * row.share)) : undefined;
}
