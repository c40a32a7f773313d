import type { EndpointName } from '../shared/http/operations/endpoints.ts';
import { getKeys } from '../shared/platform/values/typed.ts';
import type { Settings } from './settings.ts';

/** An operation that a conversation or a user waits for. */
interface HotFunction {
  /** The promised latency: this percentile of responses within `ms` milliseconds. */
  promise: { percentile: number; ms: number };
  /** Its share of the concurrency reserved for hot functions. Most requests are bids. */
  share: number;
}

/** Operations with their own alarms and gradual rollout. */
export const hot: { readonly [N in EndpointName]?: HotFunction } = {
  'ssp/bid': { promise: { percentile: 99, ms: 1000 }, share: 1 / 2 },
  'ssp/ad': { promise: { percentile: 99, ms: 3000 }, share: 1 / 4 },
  'click/redirect': { promise: { percentile: 95, ms: 200 }, share: 1 / 4 },
};

export const hotNames = getKeys(hot);

/** Concurrency reserved for a hot function and unavailable to all other functions of the account; undefined if none is reserved. */
export function getReservedConcurrency(
  name: EndpointName,
  { hotConcurrency }: Pick<Settings, 'hotConcurrency'>,
): number | undefined {
  const row = hot[name];
  return row && hotConcurrency > 0 ? Math.max(1, Math.floor(hotConcurrency * row.share)) : undefined;
}
