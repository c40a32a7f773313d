import { type Bid, type Clicked, isServed, type Served } from '../bids/bid.ts';

/** Something that happened to a bid and is stored: the cause of counts and of events. */
export type Fact = { kind: 'impression'; bid: Served } | { kind: 'click'; bid: Clicked };

/** What a change of a bid's record says has happened. Test mode changes no counts and sends nothing. */
export function factsOf(old: Bid | undefined, now: Bid | undefined): Fact[] {
  if (!now || now.mode === 'test' || !isServed(now)) return [];
  const facts: Fact[] = [];
  if (!old || !isServed(old)) facts.push({ kind: 'impression', bid: now });
  if ('click' in now && !(old && 'click' in old)) facts.push({ kind: 'click', bid: now as Clicked });
  return facts;
}
