import { SIGNED_IN, type SignInSettings, type SiteSettings } from '../shared/platform/values/site-settings.ts';
import type { Visitor } from './session.ts';
import type { SignedIn } from './sign-in.ts';
import { keepToken, keptToken } from './token.ts';

const USER = 'user';

/** What came of asking who uses the page. */
export type VisitorEntry =
  | { outcome: 'known'; visitor: Visitor }
  | { outcome: 'no sign-in' }
  /** The issuer let nobody in, or its answer could not be used. */
  | { outcome: 'refused'; code: string | null }
  | { outcome: 'unreachable' };

/** The settings of this deployment. */
export async function readSiteSettings(): Promise<SiteSettings> {
  const response = await fetch('/assets/settings.json');
  if (!response.ok) throw new Error(`The settings were answered ${response.status}`);
  return response.json();
}

/** Who uses the page. Does not return while the visitor is sent to sign in. */
export async function findVisitor({ demo, signIn }: SiteSettings): Promise<VisitorEntry> {
  if (demo) {
    const kept = localStorage.getItem(USER);
    const user = kept && demo.users.includes(kept) ? kept : demo.users[0]!;
    return { outcome: 'known', visitor: asDemoUser(demo, user) };
  }
  return signIn ? signedIn(signIn) : { outcome: 'no sign-in' };
}

const asDemoUser = ({ apiKey }: NonNullable<SiteSettings['demo']>, user: string): Visitor => ({
  kind: 'demo',
  user,
  apiKey,
});

/** Makes the visitor another user of the demo, now and when the page is loaded again. */
export function become(demo: NonNullable<SiteSettings['demo']>, user: string): Visitor {
  localStorage.setItem(USER, user);
  return asDemoUser(demo, user);
}

/** Who signed in elsewhere with the issuer stays signed in there. */
export function signOut(): void {
  // Whoever uses this tab next finds nothing in it: neither the token nor a key that was made for the chat.
  sessionStorage.clear();
  location.assign('/');
}

async function signedIn(settings: SignInSettings): Promise<VisitorEntry> {
  const at = new URL(location.href);
  const isBack = at.pathname === SIGNED_IN;
  const kept = keptToken();
  if (kept && kept.expiresAt > Date.now()) {
    if (isBack) history.replaceState(null, '', '/');
    return knownBy(kept);
  }
  // Sent there again, who was refused would be sent back at once, and so on for ever.
  if (isBack && at.searchParams.has('error')) return { outcome: 'refused', code: at.searchParams.get('error') };
  const { finishSignIn, isUnderWay, startSignIn } = await import('./sign-in.ts');
  if (isBack && at.searchParams.has('code') && isUnderWay(sessionStorage)) {
    const finished = await finishSignIn(settings, at, sessionStorage).catch(() => null);
    if (!finished) return { outcome: 'refused', code: null };
    const { returnTo, ...now } = finished;
    keepToken(now);
    history.replaceState(null, '', returnTo);
    return knownBy(now);
  }
  const returnTo = isBack ? new URL('/', at) : at;
  location.assign(await startSignIn(settings, returnTo, sessionStorage));
  return new Promise(() => {});
}

const knownBy = ({ user, token }: SignedIn): VisitorEntry => ({
  outcome: 'known',
  visitor: { kind: 'signed in', user, token },
});
