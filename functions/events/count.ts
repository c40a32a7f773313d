import type { Bid } from '../../shared/bids/bid.ts';
import { markCounted } from '../../shared/bids/store.ts';
import { utcDay } from '../../shared/clock.ts';
import { type Fact, factsOf } from '../../shared/events/facts.ts';
import { count } from '../../shared/ledgers/store.ts';
import { streamWorker } from '../../shared/stream/worker.ts';

/**
 * Counts impressions, clicks and spend by UTC day and in total, exactly once: the counts and the mark that they were made
 * are one transaction, so a record that is delivered again finds the mark and counts nothing.
 */
export default streamWorker('events/count', ({ db }) => async ({ old, now }) => {
  for (const fact of factsOf(old as Bid | undefined, now as Bid | undefined)) {
    const { day, counts } = tally(fact);
    await db.transact([markCounted(fact.bid.id, fact.kind), ...count(fact.bid.campaignId, day, counts)]);
  }
});

/** An impression belongs to the day it was charged to, a click to the day it happened. */
const tally = ({ kind, bid }: Fact): { day: string; counts: Record<string, number> } =>
  kind === 'impression'
    ? { day: bid.day, counts: { impressions: 1, spend: bid.charged } }
    : { day: utcDay(bid.click.at), counts: { clicks: 1 } };
