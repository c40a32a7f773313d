import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What has a name, which is read aloud where the focus comes to it. */
const NAMED = '[aria-label], [aria-labelledby]';

function* aroundOf(element: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = at.parentElement) yield at;
}

/**
 * Where what had the focus goes from the page, the focus stays near: on the least part with a name that was around it and is still
 * there, or else on the page's heading. A browser would let the keyboard begin at the top again.
 */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const main = place.current!;
    let around: Element[] = [];
    const enter = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [...aroundOf(target)] : [];
    };
    // Who leaves of their own accord is not called back. What is taken away may be left too, and is gone a moment later.
    const leave = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (target === around[0] && around[0]?.isConnected) around = [];
      });
    const keep = () => {
      if (around.length === 0 || around[0]?.isConnected || document.activeElement !== document.body) return;
      const near = around.find((part) => part.isConnected && part.matches(NAMED)) ?? main.querySelector('h1');
      around = [];
      if (!(near instanceof HTMLElement)) return;
      near.tabIndex = -1;
      near.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(keep);
    changes.observe(main, { childList: true, subtree: true });
    main.addEventListener('focusin', enter);
    main.addEventListener('focusout', leave);
    return () => {
      changes.disconnect();
      main.removeEventListener('focusin', enter);
      main.removeEventListener('focusout', leave);
    };
  }, []);
  return place;
}

/** For what comes on the page to be filled in or read at once: it, or what the selector finds in it, has the focus. */
export function useFirstFocus<E extends HTMLElement>(selector?: string): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => {
    const found = selector ? place.current?.querySelector<HTMLElement>(selector) : place.current;
    found?.focus();
  }, []);
  return place;
}
