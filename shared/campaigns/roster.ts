import { type Lexicon, MatchIndex, type MatchOptions, type Message, type Verdict } from '../matching/index.ts';
import type { Biddable } from './biddable.ts';
import { type Funds, noFunds } from './funds.ts';
import { amend, noHoldings } from './holdings.ts';
import type { Change } from './store.ts';

export type Roster = ReturnType<typeof createRoster>;

/** The campaigns that an instance knows, in memory, with their index for matching. What is older than what is known is passed over. */
export function createRoster(lexicon: Lexicon) {
  const known = noHoldings();
  const index = new MatchIndex(lexicon);
  /** Of deleted campaigns too: the index of changes may answer late. */
  const versions = new Map<string, number>();

  const isNews = (id: string, version: number): boolean => {
    if ((versions.get(id) ?? 0) >= version) return false;
    versions.set(id, version);
    return true;
  };
  // Nothing would be looked at under a ceiling of 0: a campaign that may bid nothing is found too, and refused with that reason.
  const enrol = ({ id, placement, maxCpb }: Biddable) => index.set(id, placement, Math.max(1, maxCpb));

  return {
    apply(change: Change): void {
      if (change.kind === 'funds') return void amend(known, change, lexicon);
      const { id, version } = change.kind === 'campaign' ? change.campaign : change;
      if (!isNews(id, version)) return;
      amend(known, change, lexicon);
      const campaign = known.campaigns.get(id);
      if (campaign) enrol(campaign);
      else index.delete(id);
    },

    /** Takes in a campaign that another has prepared for bidding, placed by the same lexicon. */
    add(campaign: Biddable): void {
      if (!isNews(campaign.id, campaign.version)) return;
      known.campaigns.set(campaign.id, campaign);
      enrol(campaign);
    },

    /** Forgets a campaign, unless it has another version by now. */
    forget(id: string, version: number): void {
      if (versions.get(id) !== version) return;
      versions.delete(id);
      known.campaigns.delete(id);
      known.funds.delete(id);
      index.delete(id);
    },

    /** Versions of the campaigns that may bid. */
    versions: (): Map<string, number> => new Map([...known.campaigns.values()].map(({ id, version }) => [id, version])),

    size: (): number => known.campaigns.size,

    match: (messages: readonly Message[], options: MatchOptions): Verdict => index.match(messages, options),

    find: (id: string): { campaign: Biddable; funds: Funds } => ({
      campaign: known.campaigns.get(id)!,
      funds: known.funds.get(id) ?? noFunds(id),
    }),
  };
}
