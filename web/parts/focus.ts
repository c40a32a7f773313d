import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Named elements, whose name a screen reader announces on focus. */
const NAMED = '[aria-label], [aria-labelledby]';

function* ancestors(element: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = at.parentElement) yield at;
}

/**
 * If the focused element is removed, moves the focus to its closest named ancestor that is still on the page, or else to the page's
 * heading. Without this, the browser would move keyboard users back to the top of the page.
 */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const main = place.current!;
    let around: Element[] = [];
    const enter = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [...ancestors(target)] : [];
    };
    // Do nothing if the visitor moved the focus. Removing the focused element also fires this event, and the element is gone a moment later.
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

/** Focuses a new element, or the first match of the selector in it, for filling in or reading. */
export function useFirstFocus<E extends HTMLElement>(selector?: string): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => {
    const found = selector ? place.current?.querySelector<HTMLElement>(selector) : place.current;
    found?.focus();
  }, []);
  return place;
}
