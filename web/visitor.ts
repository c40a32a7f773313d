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

/** The demo user, or the user who has signed in before; null for others, who may read but do nothing else. */
export function recallVisitor({ demo, signIn }: SiteSettings): Visitor | null {
  if (demo) {
    const kept = localStorage.getItem(USER);
    const user = kept && demo.users.includes(kept) ? kept : demo.users[0]!;
    return asDemoUser(demo, user);
  }
  const kept = signIn && loadToken();
  return kept && kept.expiresAt > Date.now() ? asSignedIn(kept) : null;
}

/** Finds the visitor. Does not return if the browser leaves for the sign-in page. */
export async function findVisitor(settings: SiteSettings): Promise<VisitorEntry> {
  const visitor = recallVisitor(settings);
  if (visitor) {
    if (location.pathname === SIGNED_IN) history.replaceState(null, '', '/');
    return { outcome: 'known', visitor };
  }
  return settings.signIn ? enter(settings.signIn) : { outcome: 'no sign-in' };
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

/** The visitor stays signed in with the issuer. @param next the page to show next */
export function signOut(next = '/'): void {
  // Remove the token and the chat's key, so that the next user of this tab finds neither.
  sessionStorage.clear();
  location.assign(next);
}

async function enter(settings: SignInSettings): Promise<VisitorEntry> {
  const at = new URL(location.href);
  const isBack = at.pathname === SIGNED_IN;
  // Do not sign in again automatically: a rejected user would be redirected back and forth forever.
  if (isBack && at.searchParams.has('error')) return { outcome: 'refused', code: at.searchParams.get('error') };
  const { finishSignIn, isUnderWay, startSignIn } = await import('./sign-in.ts');
  if (isBack && at.searchParams.has('code') && isUnderWay(sessionStorage)) {
    const finished = await finishSignIn(settings, at, sessionStorage).catch(() => null);
    if (!finished) return { outcome: 'refused', code: null };
    const { returnTo, ...now } = finished;
    keepToken(now);
    history.replaceState(null, '', returnTo);
    return { outcome: 'known', visitor: asSignedIn(now) };
  }
  const returnTo = isBack ? new URL('/', at) : at;
  location.assign(await startSignIn(settings, returnTo, sessionStorage));
  return new Promise(() => {});
}

const asSignedIn = ({ user, token }: SignedIn): Visitor => ({ kind: 'signed in', user, token });
