import type { Campaign } from '../../campaigns/campaign.ts';
import { canShowCreative } from '../../campaigns/creative-versions.ts';
import { createSettingsReader } from '../../keys/key-settings.ts';
import type { Effects } from '../../platform/effects.ts';
import { domainFilter, domainOf } from '../../platform/values/urls.ts';
import { hasCreative, type Issued } from './bid.ts';

/** Says whether a bid is still served, by its campaign as it is now. */
export function createServingCheck(effects: Pick<Effects, 'db' | 'clock'>) {
  const readSettings = createSettingsReader(effects);

  return async (bid: Issued, campaign: Campaign): Promise<boolean> =>
    isOpen(campaign) && (hasCreative(bid) ? bid.creative?.landingUrl !== '' : mayBeShown(bid, campaign));

  /**
   * Whether the creative that a campaign has by now may be shown: the auction knew the one before. What the publisher blocks is read only where the
   * campaign was changed since.
   */
  async function mayBeShown({ keyId, campaignVersion }: Issued, campaign: Campaign): Promise<boolean> {
    if (!canShowCreative(campaign)) return false;
    if (campaignVersion === undefined || campaignVersion === campaign.version) return true;
    const { blockedDomains } = await readSettings(keyId);
    return !domainFilter(blockedDomains)(domainOf(campaign.creative.landingUrl));
  }
}

/** A bid of a campaign that meanwhile ran out or was cancelled is void; one merely paused by its user is still served. */
const isOpen = ({ status, pausedReason }: Campaign): boolean =>
  status === 'active' || (status === 'paused' && pausedReason === 'user');
