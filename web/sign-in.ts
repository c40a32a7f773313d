import * as oauth from 'oauth4webapi';
import { SIGNED_IN, type SignInSettings } from '../shared/platform/values/site-settings.ts';

/** What a sign-in gives: a token for the service, and whom it is for. */
export interface SignedIn {
  token: string;
  user: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What has to come back unchanged, and where the visitor was. */
interface SignInAttempt {
  state: string;
  verifier: string;
  returnTo: string;
}

const ATTEMPT = 'sign-in';

/** An issuer on this machine may do without TLS: the tests' own. */
const options = ({ issuer }: SignInSettings) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).hostname === 'localhost',
});

async function describe(settings: SignInSettings): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, options(settings));
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Where to send the visitor to sign in. @param at the page's address now */
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

/** Whether an answer is waited for: one that comes again, such as after a reload, was taken before. */
export const isUnderWay = (kept: Kept): boolean => kept.getItem(ATTEMPT) !== null;

/** What came of a sign-in, and where the visitor was before. @throws where the answer is not to this page's question */
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
    oauth.None(), // a page can keep no secret: PKCE stands in its place
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
