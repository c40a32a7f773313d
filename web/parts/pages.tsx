import type { ComponentProps } from 'preact';
import { Router, useLocation } from 'preact-iso/router';
import { NoSuchPage } from './notices.tsx';

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Renders the page of the current route. The router would throw on a URL that cannot be decoded, and show nothing. */
export const Pages = ({ children }: ComponentProps<typeof Router>) =>
  isWellFormed(useLocation().path) ? <Router>{children}</Router> : <NoSuchPage />;
