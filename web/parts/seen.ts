import { useEffect, useRef, useState } from 'preact/hooks';

/** From half a screen away, so that the place is filled when the visitor comes to it. */
const AHEAD = '50% 0px';

/** Whether the visitor has scrolled to a place. */
export function useSeen() {
  const place = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const see = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    };
    const observer = new IntersectionObserver(see, { rootMargin: AHEAD });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return { place, isSeen };
}
