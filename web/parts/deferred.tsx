import type { ComponentChildren, FunctionComponent } from 'preact';
import { ErrorBoundary, lazy } from 'preact-iso';
import { Outdated, OutdatedPage } from './notices.tsx';

/** A part whose script is loaded when it is wanted; the page around it is shown meanwhile. */
export const Deferred = ({ children }: { children: ComponentChildren }) => <ErrorBoundary>{children}</ErrorBoundary>;

const AGAIN_MS = 1_000;
/** How often a script may not be there, of a site that answers, before it is taken for one of a version that is gone. */
const MOST_FAILURES = 3;
/** The address that was loaded anew for the sake of a script, so that no page is loaded for ever. */
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
 * While a script cannot be had it is asked for again: its visitor may just be in a tunnel.
 * @returns undefined where the site answers and has it no more: a page that was open while a new version came knows its scripts by other names
 */
async function scriptOf<P>(load: Load<P>): Promise<Loaded<P> | undefined> {
  for (let failures = 0; failures < MOST_FAILURES; ) {
    try {
      return await load();
    } catch {
      if (await isSiteThere()) failures++;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
  return undefined;
}

/** A component in a script of its own. Where that is gone its visitor is offered the new version: what is typed on the page stays until then. */
export const loadedLater = <P,>(load: Load<P>) => lazy(async () => (await scriptOf(load)) ?? { default: Outdated });

/** A page in a script of its own. Where that is gone the new version is loaded at once: what was typed was left with the page before. */
export const pageLoadedLater = <P,>(load: Load<P>) =>
  lazy(async () => {
    const script = await scriptOf(load);
    if (!script && sessionStorage.getItem(RELOADED) !== location.href) {
      sessionStorage.setItem(RELOADED, location.href);
      location.reload();
      return new Promise<never>(() => {});
    }
    sessionStorage.removeItem(RELOADED);
    return script ?? { default: OutdatedPage };
  });
