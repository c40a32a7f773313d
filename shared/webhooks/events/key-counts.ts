import type { Bid } from '../../ads/bids/bid.ts';
import { keyDayRow, markOf } from '../../keys/day.ts';
import { utcDay } from '../../platform/clock.ts';
import type { Amounts } from '../../platform/count-once.ts';
import type { Write } from '../../platform/database.ts';
import { bidFacts } from './facts.ts';

/** What a fact of a bid adds to a day of the key that it was made for. */
interface KeyCount {
  row: ReturnType<typeof keyDayRow>;
  counts: Amounts;
  /** In a transaction with what it adds: whoever puts a parked record through again counts nothing. */
  mark: Write<'key-days'>;
}

/**
 * What a change of a bid's record adds to the report of its key; test mode adds nothing. An impression belongs to the day that it was charged to, a click
 * to the one on which it happened. @param share the publisher's, in ten-thousandths: charges are added up apart for each share, so that another one changes
 * nothing of what was earned before
 */
export function keyCounts(old: Bid | undefined, now: Bid | undefined, share: number): KeyCount[] {
  if (!now || now.mode === 'test') return [];
  const count = (fact: string, day: string, counts: Amounts): KeyCount => {
    const row = keyDayRow(now.keyId, day);
    return { row, counts, mark: markOf(row, `${now.id}#${fact}`) };
  };
  const issued = old ? [] : [count('bid', utcDay(now.issuedAt), { bids: 1 })];
  const since = bidFacts(old, now).map((fact) =>
    fact.kind === 'click'
      ? count('click', utcDay(fact.bid.click.at), { clicks: 1 })
      : count('impression', fact.bid.day, { impressions: 1, [`charged_${share}`]: fact.bid.charged }),
  );
  return [...issued, ...since];
}
