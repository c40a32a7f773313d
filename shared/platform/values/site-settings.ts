/** Settings of the web page, served as /assets/settings.json. */
export interface SiteSettings {
  /** Local only: the users to choose from, and a publisher's key for the chat. */
  demo: { users: string[]; apiKey: string } | null;
  /** In the cloud: how users sign in (OpenID Connect, authorization code with PKCE). */
  signIn: SignInSettings | null;
}

export interface SignInSettings {
  issuer: string;
  clientId: string;
  scope: string;
  /** The audience of the token, which the gateway checks. */
  audience: string;
  /** Origins from which the page fetches the issuer's metadata and tokens. */
  origins: string[];
}

/** The path to which the issuer redirects users after they sign in. */
export const SIGNED_IN = '/signed-in';

export const SITE_NAME = 'Conversation Ads';

/** The address of the local service, which the documents name. The page replaces it with the address of the service that it is from. */
export const LOCAL_ADDRESS = /(?:http:\/\/)?localhost:3000/g;

/** The navigation of every page. The app draws it; documents contain it, to be readable without scripts. */
export const SECTIONS = [
  ['/', 'Home'],
  ['/campaigns', 'Campaigns'],
  ['/webhooks', 'Webhooks'],
  ['/publisher', 'Publisher'],
  ['/chat', 'Chat'],
  ['/docs', 'Docs'],
] as const;
