import { keysOf } from './typed.ts';
import { asciiUrl, domainOf } from './urls.ts';

export interface Creative {
  headline: string;
  description: string;
  callToAction: string;
  landingUrl: string;
  imageUrl: string;
  videoUrl: string;
  thumbnailUrl: string;
  sponsoredBy: string;
}

/** The sponsor that a creative names; empty for none, or for one without a letter or digit ("..."), which tells readers nothing. */
export const sponsorOf = ({ sponsoredBy = '' }: Partial<Creative>): string =>
  /[\p{L}\p{N}]/u.test(sponsoredBy) ? sponsoredBy.trim() : '';

/** Whom an ad's disclosure names: readers must learn whose ad it is, so the landing page's domain stands in for a missing sponsor. */
export const advertiserOf = (creative: Partial<Creative>): string =>
  sponsorOf(creative) || domainOf(creative.landingUrl ?? '');

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
