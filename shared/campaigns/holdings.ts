import type { Lexicon } from '../matching/index.ts';
import { placementOf } from './audience.ts';
import { type Biddable, biddableOf } from './biddable.ts';
import type { Campaign } from './campaign.ts';
import { type Funds, isOlder } from './funds.ts';
import type { Change } from './store.ts';

/** Campaigns that may bid, and the money of any campaign: one that may not bid now may do so again. */
export interface Holdings {
  campaigns: Map<string, Biddable>;
  funds: Map<string, Funds>;
}

export const noHoldings = (): Holdings => ({ campaigns: new Map(), funds: new Map() });

/** Brings a change to holdings; changes come twice and late. Whether it was news. */
export function amend({ campaigns, funds }: Holdings, change: Change, lexicon: Lexicon): boolean {
  if (change.kind === 'funds') return amendFunds(funds, change.funds);
  const { id, version } = change.kind === 'campaign' ? change.campaign : change;
  if ((campaigns.get(id)?.version ?? 0) >= version) return false;
  if (change.kind === 'deleted') {
    const hadFunds = funds.delete(id);
    return campaigns.delete(id) || hadFunds;
  }
  if (!mayBid(change.campaign)) return campaigns.delete(id);
  campaigns.set(id, biddableOf(placed(change.campaign, lexicon)));
  return true;
}

/** A pause may end by itself, the rest may not. */
export const mayBid = ({ status }: Campaign): boolean => status === 'active' || status === 'paused';

/** A campaign that another version of the service has placed is placed anew. */
export const placed = (campaign: Campaign, lexicon: Lexicon): Campaign =>
  campaign.placement.v === lexicon.version ? campaign : { ...campaign, placement: placementOf(campaign, lexicon) };

function amendFunds(funds: Map<string, Funds>, now: Funds): boolean {
  const known = funds.get(now.id);
  const isNews = known
    ? !isOlder(now, known) && (Object.keys(now) as (keyof Funds)[]).some((key) => now[key] !== known[key])
    : now.spent + now.impressions + now.clicks + now.conversions > 0;
  if (isNews) funds.set(now.id, now);
  return isNews;
}
