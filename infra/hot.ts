import type { EndpointName } from '../shared/endpoints.ts';

/** An operation that a conversation or a reader waits for. */
export interface Hot {
  /** Memory buys processor time: a cold start takes about half as long at 1,024 MB as at 512. */
  memoryMb: number;
  /** What the service promises, in milliseconds: this percentile of the answers comes within this time. */
  promise: { percentile: number; ms: number };
}

/** The operations that are watched one by one and rolled out gradually. */
export const hot: { readonly [N in EndpointName]?: Hot } = {
  'ssp/bid': { memoryMb: 1024, promise: { percentile: 99, ms: 1000 } },
  'ssp/ad': { memoryMb: 1024, promise: { percentile: 99, ms: 3000 } },
  'click/redirect': { memoryMb: 1024, promise: { percentile: 95, ms: 200 } },
};

export const hotNames = Object.keys(hot) as EndpointName[];
