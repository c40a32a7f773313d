export { AdsError, type ErrorCode, type LogEntry } from '../../client/src/index.ts';
export { toConversation } from './conversation.ts';
export type { CardEvent, SponsorEvent, TurnAbout, TurnEvent } from './events.ts';
export { type AdsOptions, readAd, withAds } from './model.ts';
export type { SponsoredAd, SponsoredData, SponsoredPart } from './part.ts';
export { createSponsor, type Sponsor, type SponsorOptions, type Turn } from './sponsor.ts';
export { toHtml, toMarkdown, toText } from './text.ts';
