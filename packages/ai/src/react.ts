import {
  type CSSProperties,
  createElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { SponsoredAd, SponsoredData } from './part.ts';
import { whenSeen } from './seen.ts';

export interface SponsoredCardProps {
  /** The part that the message carries. */
  part: { data: SponsoredData };
  /** Where your server answers the card; `/api/sponsored` unless told. */
  endpoint?: string;
  className?: string;
  /** Another look of the ad itself; its disclosure stays above it. */
  children?: (ad: SponsoredAd) => ReactNode;
}

type State = SponsoredAd | 'unseen' | 'gone';

/**
 * An ad below an answer. Its space is there from the start; the ad is asked for once half of it has been seen for a second, and
 * that is the impression. Where the ad cannot be had any more the space stays, empty: nothing moves below a reader's eyes.
 */
export function SponsoredCard(props: SponsoredCardProps): ReactElement {
  // Another part is another ad: nothing of the one before is kept.
  return createElement(OneCard, { ...props, key: props.part.data.token });
}

function OneCard({ part, endpoint = '/api/sponsored', className, children }: SponsoredCardProps): ReactElement {
  const { token, disclosure } = part.data;
  const card = useRef<HTMLElement>(null);
  const [state, setState] = useState<State>('unseen');

  useEffect(() => {
    if (!card.current) return;
    const unmounted = new AbortController();
    const stop = whenSeen(card.current, () =>
      adOf(endpoint, token, unmounted.signal).then(
        (ad) => setState(ad),
        () => unmounted.signal.aborted || setState('gone'),
      ),
    );
    return () => {
      stop();
      unmounted.abort();
    };
  }, [endpoint, token]);

  const isGone = state === 'gone';
  const ad = typeof state === 'object' ? state : undefined;
  return createElement(
    'aside',
    {
      ref: card,
      className,
      'aria-label': ad?.advertiser ? `${disclosure}: ${ad.advertiser}` : disclosure,
      'aria-busy': state === 'unseen',
      'aria-hidden': isGone || undefined,
      style: isGone ? { ...BOX, visibility: 'hidden' } : BOX,
    },
    createElement('small', { style: LABEL }, [disclosure, ad?.advertiser].filter(Boolean).join(' · ')),
    ad && (children?.(ad) ?? adIn(ad)),
  );
}

const adIn = ({ url, headline, description, callToAction }: SponsoredAd): ReactElement =>
  createElement(
    'a',
    { href: url, target: '_blank', rel: 'sponsored noopener noreferrer', style: LINK },
    createElement('strong', { style: LINE }, headline),
    description && createElement('span', { style: LINE }, description),
    callToAction && createElement('span', { style: ACTION }, callToAction),
  );

async function adOf(endpoint: string, token: string, signal: AbortSignal): Promise<SponsoredAd> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ token }), signal });
  if (!response.ok) throw new Error(`No ad: ${response.status}`);
  return response.json();
}

const BOX: CSSProperties = {
  boxSizing: 'border-box',
  height: 'var(--sponsored-height, 9.5rem)',
  overflowY: 'auto',
  padding: 'var(--sponsored-padding, 0.75rem 1rem)',
  border: 'var(--sponsored-border, 1px solid currentColor)',
  borderRadius: 'var(--sponsored-radius, 0.5rem)',
  background: 'var(--sponsored-background, transparent)',
  color: 'var(--sponsored-color, inherit)',
  font: 'var(--sponsored-font, inherit)',
};
const LABEL: CSSProperties = {
  display: 'block',
  marginBottom: '0.25rem',
  fontSize: 'var(--sponsored-label-size, 0.8em)',
};
const LINK: CSSProperties = { display: 'block', color: 'inherit', textDecoration: 'none' };
const LINE: CSSProperties = { display: 'block' };
const ACTION: CSSProperties = {
  display: 'block',
  marginTop: '0.25rem',
  color: 'var(--sponsored-link, inherit)',
  textDecoration: 'underline',
};
