/** What a message carries of an ad until it is seen: no ad yet, and nothing secret. */
export interface SponsoredData {
  /** To be shown with the ad. */
  disclosure: 'Sponsored';
  /** What the card hands to your route to get the ad. */
  token: string;
  /** ISO 8601: from then on there is no ad to be had, and the card renders nothing. Parts that earlier versions wrote lack it. */
  expiresAt?: string;
}

/** The part of a UI message: `UIMessage<never, { sponsored: SponsoredData }>`. */
export interface SponsoredPart {
  type: 'data-sponsored';
  id: string;
  data: SponsoredData;
}

/** What your route answers to the card. */
export interface SponsoredAd {
  disclosure: 'Sponsored';
  advertiser: string;
  headline: string;
  description: string;
  callToAction: string;
  imageUrl?: string;
  /** Counts the click and leads on. */
  url: string;
}
