const MIN_RATIO = 0.5;
const MIN_DURATION_MS = 1_000;

/**
 * Calls `act` once, when half of the element has been in view for an uninterrupted second in a visible page (the MRC's definition of
 * a viewable display impression). Returns a function that stops watching.
 */
export function onViewable(element: Element, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isInView = false;
  const update = () => {
    clearTimeout(timer);
    if (isInView && document.visibilityState === 'visible') timer = setTimeout(finish, MIN_DURATION_MS);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      isInView = (entries.at(-1)?.intersectionRatio ?? 0) >= MIN_RATIO;
      update();
    },
    { threshold: MIN_RATIO },
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
