const HALF = 0.5;
const LONG_ENOUGH_MS = 1_000;

/**
 * Acts once, when half of an element has been in view for a second without a break, in a page that is itself in view (the measure
 * of a viewable display impression). Gives what ends the watch.
 */
export function whenSeen(element: Element, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isInView = false;
  const update = () => {
    clearTimeout(timer);
    if (isInView && document.visibilityState === 'visible') timer = setTimeout(finish, LONG_ENOUGH_MS);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      isInView = (entries.at(-1)?.intersectionRatio ?? 0) >= HALF;
      update();
    },
    { threshold: HALF },
  );
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('visibilitychange', update);
  };
  const finish = () => {
    stop();
    act();
  };
  observer.observe(element);
  document.addEventListener('visibilitychange', update);
  return stop;
}
