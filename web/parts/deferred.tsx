import type { ComponentChildren, FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { createWatchers } from '../watchers.ts';
import { NotLoaded, NotLoadedPage, Outdated, OutdatedPage } from './notices.tsx';

const AGAIN_MS = 1_000;
/** How long the site may take to tell that it responds. */
const PATIENCE_MS = 3_000;
/**
 * After this many failures while the site responds, only a reload helps: a new deployment removed the script, or the browser remembers
 * that it failed (Chrome before 156, Firefox before 154).
 */
const MAX_FAILURES = 3;
/** Storage key for the URL of the last forced reload. A second reload of the same URL would loop forever. */
const RELOADED = 'reloaded';

interface Loaded<P> {
  default: FunctionComponent<P>;
}
type Load<P> = () => Promise<Loaded<P>>;

const isSiteThere = (): Promise<boolean> =>
  fetch('/assets/settings.json', { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** What became of a script. `failing` means that the site does not respond; `gone`, that only a reload helps. */
type State<P> = { is: 'loading' | 'failing' | 'gone' } | { is: 'loaded'; Part: FunctionComponent<P> };

/** A script, loaded once for all components that show it. Retries while the site does not respond: the visitor may be in a tunnel. */
function createScript<P>(load: Load<P>) {
  const { tell, watch } = createWatchers();
  let state: State<P> = { is: 'loading' };
  let isStarted = false;
  let again = () => {};
  const become = (next: State<P>) => {
    state = next;
    tell();
  };
  async function run(): Promise<void> {
    for (let failures = 0; failures < MAX_FAILURES; ) {
      try {
        return become({ is: 'loaded', Part: (await load()).default });
      } catch {
        if (await isSiteThere()) failures++;
        else become({ is: 'failing' });
        await new Promise<void>((resolve) => {
          again = resolve;
          setTimeout(resolve, AGAIN_MS);
        });
      }
    }
    become({ is: 'gone' });
  }
  return {
    now: () => state,
    watch,
    start() {
      if (!isStarted) run();
      isStarted = true;
    },
    /** Retries at once. */
    again: () => again(),
  };
}
type Script<P> = ReturnType<typeof createScript<P>>;

function useScript<P>(script: Script<P>): State<P> {
  const [, setChanges] = useState(0);
  useLayoutEffect(() => {
    script.start();
    return script.watch(() => setChanges((count) => count + 1));
  }, []);
  return script.now();
}

/**
 * A component with its own script, which does not hold up the page around it. If the script is gone, offers a reload instead of forcing
 * one, to keep what is typed on the page.
 * @param placeholder what stands in its place until the script has loaded
 */
export function lazyPart<P extends object>(load: Load<P>, placeholder: ComponentChildren): FunctionComponent<P> {
  const script = createScript(load);
  return (properties) => {
    const state = useScript(script);
    if (state.is === 'loaded') return <state.Part {...properties} />;
    if (state.is === 'gone') return <Outdated />;
    return state.is === 'failing' ? <NotLoaded onAgain={script.again} /> : placeholder;
  };
}

/**
 * A page with its own script. The page before it stays until the script has loaded or the site does not respond. If the script is gone,
 * reloads at once: nothing has been typed on the new page yet.
 */
export function lazyPage<P extends object>(load: Load<P>) {
  const script = createScript(load);
  const Page: FunctionComponent<P> = (properties) => {
    const state = useScript(script);
    if (state.is === 'loaded') return <state.Part {...properties} />;
    return state.is === 'gone' ? <OutdatedPage /> : <NotLoadedPage onAgain={script.again} />;
  };
  const settled = new Promise<{ default: FunctionComponent<P> }>((resolve) => {
    script.watch(() => {
      const { is } = script.now();
      if (is === 'gone' && sessionStorage.getItem(RELOADED) !== location.href) {
        sessionStorage.setItem(RELOADED, location.href);
        location.reload();
        return;
      }
      if (is !== 'failing') sessionStorage.removeItem(RELOADED);
      resolve({ default: Page });
    });
  });
  return lazy(() => {
    script.start();
    return settled;
  });
}
