import {
  createElement,
  Fragment,
  type ReactElement,
  type ReactNode,
  useEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { HEIGHT, type RenderAd, type SponsoredCardElement, TAG } from './card.ts';
import type { CardEvent } from './events.ts';
import type { SponsoredAd, SponsoredData } from './part.ts';

export type { CardEvent };

export interface SponsoredCardProps {
  /** The ad part of the message. */
  part: { data: SponsoredData };
  /** URL of your route. Default: `/api/sponsored`. */
  endpoint?: string;
  className?: string;
  /** Whether readers can report that the ad is not relevant. Default: true. */
  feedback?: boolean;
  /** Receives `viewed` and `clicked`. */
  onEvent?: (event: CardEvent) => void;
  /** Custom rendering of the ad. The disclosure and the button for feedback stay above it. */
  children?: (ad: SponsoredAd) => ReactNode;
}

/** An ad below an answer: the element `<sponsored-card>` as a component. */
export function SponsoredCard(props: SponsoredCardProps): ReactElement {
  // A new part is a new ad: the key discards the state of the previous one.
  return createElement(OneCard, { ...props, key: props.part.data.token });
}

function OneCard({ part: { data }, endpoint, className, feedback, onEvent, children }: SponsoredCardProps) {
  const element = useRef<SponsoredCardElement>(null);
  const [isGone, disappear] = useReducer(() => true, false);
  const [shown, setShown] = useState<{ ad: SponsoredAd; place: HTMLElement }>();
  // A server-rendered page may reach the browser after the part has expired: only the browser can decide, after hydration.
  const isRendered = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => data.expiresAt === undefined,
  );
  const isShown = isRendered && !isGone;

  useEffect(() => {
    const card = element.current;
    if (!isShown || !card || !onEvent) return;
    const replaced = new AbortController();
    for (const type of ['viewed', 'clicked'] as const)
      card.addEventListener(type, ({ detail }) => onEvent(detail), { signal: replaced.signal });
    return () => replaced.abort();
  }, [isShown, onEvent]);

  if (!isShown) return null;
  const render: RenderAd | undefined = children && ((ad, place) => setShown({ ad, place }));
  const ref = (card: SponsoredCardElement | null) => {
    element.current = card;
    card?.addEventListener('gone', disappear);
    // React 18 sets attributes only. Each render sets the properties, and the card ignores what has not changed.
    if (card) Object.assign(card, { endpoint, feedback, render, data });
  };
  return createElement(
    Fragment,
    null,
    createElement(TAG, { ref, class: className, style: { display: 'block', minHeight: HEIGHT } }),
    shown && children && createPortal(children(shown.ad), shown.place),
  );
}

const subscribeToNothing = () => () => {};
