import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Condition, type Health, useHealth, useRecheck, useSecondsRefused } from '../health.ts';
import type { Toasts } from '../toasts.ts';
import { useKeptFocus } from './focus.ts';
import { Header } from './header.tsx';
import { Seconds } from './refused.tsx';
import { ToastRegion } from './toasts.tsx';

interface LayoutProps {
  /** The visitor, and how to switch to another. */
  account: ComponentChildren;
  health: Health | null;
  toasts: Toasts;
  children: ComponentChildren;
}

/** The frame of every page. */
export function Layout({ account, health, toasts, children }: LayoutProps) {
  const { path } = useLocation();
  const main = useKeptFocus();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header path={path} account={account} />
      {health && <Banner health={health} />}
      <ToastRegion toasts={toasts} />
      <main id="main" ref={main}>
        {children}
      </main>
    </>
  );
}

const WORDS: Record<Exclude<Condition, 'well'>, string> = {
  unreachable: 'We cannot reach the service. The data on this page may be outdated. Retrying…',
  failing: 'The service is having problems. The data on this page may be outdated. Retrying…',
  'signed out': 'You are no longer signed in.',
};

/** The banner that reports that the service does not respond, or refuses requests for a while. */
function Banner({ health }: { health: Health }) {
  const condition = useHealth(health);
  const secondsRefused = useSecondsRefused(health);
  useRecheck(health, condition === 'unreachable' || condition === 'failing');
  // The browser reports that it is offline before any request fails.
  useEffect(() => {
    const tell = () => health.report('unreachable');
    addEventListener('offline', tell);
    return () => removeEventListener('offline', tell);
  }, [health]);
  return (
    <div role="status" class="banner-place">
      {condition === 'well' && secondsRefused > 0 && (
        <p class="banner">
          Too many requests. Live updates continue in <Seconds left={secondsRefused} />.
        </p>
      )}
      {condition !== 'well' && (
        <p class="banner">
          {WORDS[condition]}{' '}
          {condition === 'signed out' && (
            <button type="button" class="small" onClick={() => location.reload()}>
              Sign in again
            </button>
          )}
        </p>
      )}
    </div>
  );
}
