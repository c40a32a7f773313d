import { asciiUrl } from '../values/urls.ts';
import type { Creative } from './campaign.ts';

const ADDRESSES = ['landingUrl', 'imageUrl', 'videoUrl', 'thumbnailUrl'] as const;

/** A creative with its addresses in ASCII. Campaigns stored before addresses were kept so have them as they were typed. */
export const withAsciiAddresses = (creative: Creative): Creative => ({
  ...creative,
  ...Object.fromEntries(ADDRESSES.map((name) => [name, asciiUrl(creative[name] ?? '')])),
});
