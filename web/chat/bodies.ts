import type { Result } from '../../packages/client/src/index.ts';

export type Ad = Result<'GET /api/v1/ssp/ad/{bidId}'>;
export type BidBody = NonNullable<Result<'POST /api/v1/ssp/bid'>>;
export type Debug = NonNullable<BidBody['debug']>;
export type ExplainedCandidate = Debug['candidates'][number];
export type PerformanceBody = Result<'GET /api/v1/campaigns/{id}'>['performance'];
