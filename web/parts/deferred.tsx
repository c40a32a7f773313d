import type { ComponentChildren, FunctionComponent } from 'preact';
import { ErrorBoundary, lazy } from 'preact-iso';
import { Outdated, OutdatedPage } from './notices.tsx';

/** Renders parts whose scripts load on demand, without blocking the page around them. */
export const Deferred = ({ children }: { children: ComponentChildren }) => <ErrorBoundary>{children}</ErrorBoundary>;

const AGAIN_MS = 1_000;
/** After this many failures while the site responds, assume that a new deployment removed the script. */
const MAX_FAILURES = 3;
/** Storage key for the URL of the last forced reload. A second reload of the same URL would loop forever. */
const RELOADED = 'reloaded';

interface Loaded<P> {
  default: FunctionComponent<P>;
}
type Load<P> = () => Promise<Loaded<P>>;

const isSiteThere = (): Promise<boolean> =>
  fetch('/assets/settings.json').then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Loads a script. Retries while the site does not respond: the visitor may be in a tunnel.
 * @returns undefined if the site responds but no longer has the script, because a new deployment renamed it
 */
async function loadScript<P>(load: Load<P>): Promise<Loaded<P> | undefined> {
  for (let failures = 0; failures < MAX_FAILURES; ) {
    try {
      return await load();
    } catch {
      if (await isSiteThere()) failures++;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
  return undefined;
}

/** A component with its own script. If the script is gone, offers a reload instead of forcing one, to keep what is typed on the page. */
export const lazyPart = <P,>(load: Load<P>) => lazy(async () => (await loadScript(load)) ?? { default: Outdated });

/** A page with its own script. If the script is gone, reloads at once: nothing has been typed on the new page yet. */
export const lazyPage = <P,>(load: Load<P>) =>
  lazy(async () => {
    const script = await loadScript(load);
    if (!script && sessionStorage.getItem(RELOADED) !== location.href) {
      sessionStorage.setItem(RELOADED, location.href);
      location.reload();
      return new Promise<never>(() => {});
    }
    sessionStorage.removeItem(RELOADED);
    return script ?? { default: OutdatedPage };
  });
