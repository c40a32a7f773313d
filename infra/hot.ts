import type { EndpointName } from '../shared/endpoints.ts';
import type { FunctionName } from './bundle.ts';

/** An operation that a conversation or a reader waits for. */
export interface Hot {
  /** Lambda gives processor time in proportion to memory, and starting is all processor. */
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

/** Bytes that a function's bundle may have: what a cold start must read and compile before it can answer. Nobody waits for the others. */
export const mostBytes = (name: FunctionName): number => ((hotNames as string[]).includes(name) ? 480 : 880) * 1024;
