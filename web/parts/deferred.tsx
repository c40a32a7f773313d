import type { ComponentChildren, FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { Outdated, OutdatedPage } from './notices.tsx';

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

/**
 * A component with its own script, which does not hold up the page around it. If the script is gone, offers a reload instead of forcing
 * one, to keep what is typed on the page.
 * @param placeholder what stands in its place until the script has loaded
 */
export function lazyPart<P extends object>(load: Load<P>, placeholder: ComponentChildren): FunctionComponent<P> {
  let loading: Promise<FunctionComponent<P>> | undefined;
  return (properties) => {
    const [Part, setPart] = useState<FunctionComponent<P> | null>(null);
    // Before the paint: a script that was loaded earlier replaces the placeholder unseen.
    useLayoutEffect(() => {
      loading ??= loadScript(load).then((script) => script?.default ?? Outdated);
      loading.then((part) => setPart(() => part));
    }, []);
    return Part ? <Part {...properties} /> : placeholder;
  };
}

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
