export { AdsError, type ErrorCode } from '../../client/src/index.ts';
export { toConversation } from './conversation.ts';
export type { SponsoredAd, SponsoredData, SponsoredPart } from './part.ts';
export { createSponsor, type Sponsor, type SponsorOptions, type Turn, type TurnAbout } from './sponsor.ts';
