import type { Campaign } from '../../campaigns/campaign.ts';
import { canShowCreative } from '../../campaigns/creative-versions.ts';
import { createSettingsReader } from '../../keys/key-settings.ts';
import type { Effects } from '../../platform/effects.ts';
import { domainFilter, getDomain } from '../../platform/values/urls.ts';
import { hasCreative, type Issued } from './bid.ts';

/** Checks whether a bid may still be served, by the current state of its campaign. */
export function createServingCheck(effects: Pick<Effects, 'db' | 'clock'>) {
  const readSettings = createSettingsReader(effects);

  return async (bid: Issued, campaign: Campaign): Promise<boolean> =>
    isOpen(campaign) && (hasCreative(bid) ? bid.creative?.landingUrl !== '' : mayBeShown(bid, campaign));

  /**
   * Whether the campaign's current creative may be shown. If the campaign changed since the auction, checks the new landing domain against
   * the publisher's blocks.
   */
  async function mayBeShown({ keyId, campaignVersion }: Issued, campaign: Campaign): Promise<boolean> {
    if (!canShowCreative(campaign)) return false;
    if (campaignVersion === undefined || campaignVersion === campaign.version) return true;
    const { blockedDomains } = await readSettings(keyId);
    return !domainFilter(blockedDomains)(getDomain(campaign.creative.landingUrl));
  }
}

/** A campaign that its advertiser paused still serves the bids it has won; a finished or cancelled campaign does not. */
const isOpen = ({ status, pausedReason }: Campaign): boolean =>
  status === 'active' || (status === 'paused' && pausedReason === 'user');
