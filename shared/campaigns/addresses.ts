import { keysOf } from '../values/typed.ts';
import { asciiUrl } from '../values/urls.ts';
import type { Creative } from './campaign.ts';

/** Which fields are addresses: a new one does not compile until it is here. */
const IS_ADDRESS: Record<keyof Creative, boolean> = {
  headline: false,
  description: false,
  callToAction: false,
  landingUrl: true,
  imageUrl: true,
  videoUrl: true,
  thumbnailUrl: true,
  sponsoredBy: false,
};
export const ADDRESSES = keysOf(IS_ADDRESS).filter((field) => IS_ADDRESS[field]);

/** A creative with its addresses in ASCII. Campaigns stored before addresses were kept so have them as they were typed. */
export const withAsciiAddresses = (creative: Creative): Creative => ({
  ...creative,
  ...Object.fromEntries(ADDRESSES.map((name) => [name, asciiUrl(creative[name] ?? '')])),
});
