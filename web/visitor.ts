import { SIGNED_IN, type SignInSettings, type SiteSettings } from '../shared/platform/values/site-settings.ts';
import type { Visitor } from './session.ts';
import type { SignedIn } from './sign-in.ts';
import { keepToken, loadToken } from './token.ts';

const USER = 'user';

/** The result of finding the visitor. */
export type VisitorEntry =
  | { outcome: 'known'; visitor: Visitor }
  | { outcome: 'no sign-in' }
  /** The issuer denied access, or its response was unusable. */
  | { outcome: 'refused'; code: string | null }
  | { outcome: 'unreachable' };

/** Reads the settings of this deployment. */
export async function readSiteSettings(): Promise<SiteSettings> {
  const response = await fetch('/assets/settings.json');
  if (!response.ok) throw new Error(`The settings were answered ${response.status}`);
  return response.json();
}

/** Finds the visitor. Does not return if the browser leaves for the sign-in page. */
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

/** Switches to another demo user, now and for later loads of the page. */
export function become(demo: NonNullable<SiteSettings['demo']>, user: string): Visitor {
  localStorage.setItem(USER, user);
  return asDemoUser(demo, user);
}

/** The visitor stays signed in with the issuer. */
export function signOut(): void {
  // Remove the token and the chat's key, so that the next user of this tab finds neither.
  sessionStorage.clear();
  location.assign('/');
}

async function signedIn(settings: SignInSettings): Promise<VisitorEntry> {
  const at = new URL(location.href);
  const isBack = at.pathname === SIGNED_IN;
  const kept = loadToken();
  if (kept && kept.expiresAt > Date.now()) {
    if (isBack) history.replaceState(null, '', '/');
    return knownBy(kept);
  }
  // Do not sign in again automatically: a rejected user would be redirected back and forth forever.
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
