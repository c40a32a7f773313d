import { type Bid, type Clicked, isClicked, isServed, type Served } from '../bids/bid.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { changedFields } from '../campaigns/merge.ts';

/** Something that happened to a bid and is stored: the cause of counts and of events. */
export type BidFact = { kind: 'impression'; bid: Served } | { kind: 'click'; bid: Clicked };

/** What a change of a bid's record says has happened. Test mode changes no counts and sends nothing. */
export function bidFacts(old: Bid | undefined, now: Bid | undefined): BidFact[] {
  if (!now || now.mode === 'test') return [];
  const facts: BidFact[] = [];
  if (isServed(now) && !(old && isServed(old))) facts.push({ kind: 'impression', bid: now });
  if (isClicked(now) && !(old && isClicked(old))) facts.push({ kind: 'click', bid: now });
  return facts;
}

/** Something that happened to a campaign and is stored. */
export type CampaignFact =
  | { kind: 'created' | 'paused' | 'budget_exhausted'; campaign: Campaign }
  | { kind: 'updated'; campaign: Campaign; changed: string[] };

/** What a change of a campaign says has happened: a pause that nobody asked for is no update besides. */
export function campaignFacts(old: Campaign | undefined, now: Campaign | undefined): CampaignFact[] {
  if (!now) return [];
  const paused = now.status === 'paused' && (!old || isNewPause(old, now));
  const facts: CampaignFact[] = [];
  if (!old) facts.push({ kind: 'created', campaign: now });
  else {
    const changed = changedFields(old, now).filter(
      (field) => !(field === 'status' && paused && now.pausedReason !== 'user'),
    );
    if (changed.length > 0) facts.push({ kind: 'updated', campaign: now, changed });
  }
  if (now.exhaustions > (old?.exhaustions ?? 0)) facts.push({ kind: 'budget_exhausted', campaign: now });
  if (paused) facts.push({ kind: 'paused', campaign: now });
  return facts;
}

/** Another day's pause is a new one, even when nobody wrote down that the day before had ended. */
const isNewPause = (old: Campaign, now: Campaign): boolean =>
  old.status !== 'paused' ||
  (now.pausedReason !== 'user' && (old.pausedReason !== now.pausedReason || old.pausedDay !== now.pausedDay));
