/** The data of an ad part before the ad is fetched. Contains no ad and no secret. */
export interface SponsoredData {
  /** Show it with the ad. */
  disclosure: 'Sponsored';
  /** The card posts it to your route to get the ad. */
  token: string;
  /** ISO 8601. After this time the card renders nothing. Missing in parts written by earlier versions. */
  expiresAt?: string;
}

/** The part of a UI message: `UIMessage<never, { sponsored: SponsoredData }>`. */
export interface SponsoredPart {
  type: 'data-sponsored';
  id: string;
  data: SponsoredData;
}

/** The response of your route. */
export interface SponsoredAd {
  disclosure: 'Sponsored';
  advertiser: string;
  headline: string;
  description: string;
  callToAction: string;
  imageUrl?: string;
  /** Counts the click and redirects to the advertiser's page. */
  url: string;
  /** A POST reports that the reader finds the ad not relevant. Missing in ads of an earlier service. */
  feedbackUrl?: string;
  /** A POST records that the ad was in view. Missing in ads of an earlier service. */
  viewableUrl?: string;
  /** Whether the card posts its events to your route, because your server listens to them. */
  reportsEvents?: boolean;
}
