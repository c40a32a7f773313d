import * as oauth from 'oauth4webapi';
import { SIGNED_IN, type SignInSettings } from '../shared/platform/values/site-settings.ts';

/** The result of a sign-in: a token for the service and its user. */
export interface SignedIn {
  token: string;
  user: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The values that the response must repeat, and the page to return to. */
interface SignInAttempt {
  state: string;
  verifier: string;
  returnTo: string;
}

const ATTEMPT = 'sign-in';

/** A local issuer may lack TLS, as in the tests. */
const options = ({ issuer }: SignInSettings) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).hostname === 'localhost',
});

async function describe(settings: SignInSettings): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, options(settings));
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Returns the URL of the issuer's sign-in page. @param at the current page's URL */
export async function startSignIn(settings: SignInSettings, at: URL, kept: Kept): Promise<string> {
  const { authorization_endpoint } = await describe(settings);
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  const attempt: SignInAttempt = { state, verifier, returnTo: at.pathname + at.search };
  kept.setItem(ATTEMPT, JSON.stringify(attempt));
  const address = new URL(authorization_endpoint!);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: at.origin + SIGNED_IN,
    scope: settings.scope,
    audience: settings.audience,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }))
    address.searchParams.set(name, value);
  return address.href;
}

/** Whether a sign-in is in progress. After a reload, the same response arrives again, but it has already been used. */
export const isUnderWay = (kept: Kept): boolean => kept.getItem(ATTEMPT) !== null;

/** Completes a sign-in, and returns the page to return to. @throws if the response does not belong to this page's request */
export async function finishSignIn(
  settings: SignInSettings,
  at: URL,
  kept: Kept,
): Promise<SignedIn & { returnTo: string }> {
  const { state, verifier, returnTo }: SignInAttempt = JSON.parse(kept.getItem(ATTEMPT) ?? '{}');
  kept.removeItem(ATTEMPT);
  const server = await describe(settings);
  const client = { client_id: settings.clientId };
  const callback = oauth.validateAuthResponse(server, client, at, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(), // a page cannot keep a secret; PKCE replaces it
    callback,
    at.origin + SIGNED_IN,
    verifier,
    options(settings),
  );
  const answer = await oauth.processAuthorizationCodeResponse(server, client, response);
  const claims = oauth.getValidatedIdTokenClaims(answer);
  const name = claims?.email ?? claims?.name ?? claims?.sub;
  return {
    token: answer.access_token,
    user: typeof name === 'string' ? name : 'Signed in',
    expiresAt: Date.now() + (answer.expires_in ?? 300) * 1000,
    returnTo,
  };
}
