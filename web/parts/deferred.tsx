import type { ComponentChildren, FunctionComponent } from 'preact';
import { ErrorBoundary, lazy } from 'preact-iso';

/** A part whose script is loaded when it is wanted; the page around it is shown meanwhile. */
export const Deferred = ({ children }: { children: ComponentChildren }) => <ErrorBoundary>{children}</ErrorBoundary>;

const AGAIN_MS = 1_000;

/** A component in a script of its own. While that cannot be had it is asked for again: its visitor may just be in a tunnel. */
export function loadedLater<P>(load: () => Promise<{ default: FunctionComponent<P> }>) {
  const keepTrying = async (): Promise<{ default: FunctionComponent<P> }> => {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      return keepTrying();
    }
  };
  return lazy(keepTrying);
}
