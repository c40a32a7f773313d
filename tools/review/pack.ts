import type { ReviewWeights } from '../../shared/campaigns/review-model.ts';

/** As `unpackReviewWeights` reads it. */
export const packReviewWeights = ({ table, ...rest }: ReviewWeights): Uint8Array =>
  Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), new Uint8Array(table.buffer)]);
