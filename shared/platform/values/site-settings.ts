/** What a deployment tells its page, as /assets/settings.json. */
export interface SiteSettings {
  /** On one machine: users to be, and a publisher's key for the chat. */
  demo: { users: string[]; apiKey: string } | null;
  /** In the cloud: where people sign in (OpenID Connect, authorization code with PKCE). */
  signIn: SignInSettings | null;
}

export interface SignInSettings {
  issuer: string;
  clientId: string;
  scope: string;
  /** For whom the token is asked: what the gateway checks it for. */
  audience: string;
  /** Origins that the page asks for the issuer's description and for tokens. */
  origins: string[];
}

/** Where the issuer sends people back to. */
export const SIGNED_IN = '/signed-in';
