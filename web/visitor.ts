import { SIGNED_IN, type SignInSettings, type SiteSettings } from '../shared/values/site-settings.ts';
import type { Visitor } from './session.ts';
import type { SignedIn } from './sign-in.ts';

const [USER, TOKEN] = ['user', 'token'];

/** The settings of this deployment. */
export async function readSiteSettings(): Promise<SiteSettings> {
  const response = await fetch('/assets/settings.json');
  return response.json();
}

/** Who uses the page; null where nobody can sign in. Does not return while the visitor is sent to sign in. */
export async function findVisitor({ demo, signIn }: SiteSettings): Promise<Visitor | null> {
  if (demo) {
    const kept = localStorage.getItem(USER);
    return asDemoUser(demo, kept && demo.users.includes(kept) ? kept : demo.users[0]!);
  }
  return signIn ? signedIn(signIn) : null;
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

/** Forgets the token. Who signed in elsewhere with the issuer stays signed in there. */
export function signOut(): void {
  sessionStorage.removeItem(TOKEN);
  location.assign('/');
}

async function signedIn(settings: SignInSettings): Promise<Visitor> {
  const kept: SignedIn | null = JSON.parse(sessionStorage.getItem(TOKEN) ?? 'null');
  if (kept && kept.expiresAt > Date.now()) return { kind: 'signed in', user: kept.user, token: kept.token };
  const { finishSignIn, startSignIn } = await import('./sign-in.ts');
  const at = new URL(location.href);
  if (at.pathname === SIGNED_IN && at.searchParams.has('code')) {
    const { returnTo, ...now } = await finishSignIn(settings, at, sessionStorage);
    sessionStorage.setItem(TOKEN, JSON.stringify(now));
    history.replaceState(null, '', returnTo);
    return { kind: 'signed in', user: now.user, token: now.token };
  }
  location.assign(await startSignIn(settings, at, sessionStorage));
  return new Promise(() => {});
}
