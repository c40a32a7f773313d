import {
  type CSSProperties,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { SponsoredAd, SponsoredData } from './part.ts';
import { onViewable } from './viewable.ts';

export interface SponsoredCardProps {
  /** The ad part of the message. */
  part: { data: SponsoredData };
  /** URL of your route. Default: `/api/sponsored`. */
  endpoint?: string;
  className?: string;
  /** Whether readers can report that the ad is not relevant. Default: true. */
  feedback?: boolean;
  /** Custom rendering of the ad. The disclosure and the button for feedback stay above it. */
  children?: (ad: SponsoredAd) => ReactNode;
}

/**
 * `gone` renders nothing. `failed` and `rejected` keep their space, because removing it would move the text that the user is reading.
 */
type State = SponsoredAd | 'unseen' | 'loading' | 'failed' | 'rejected' | 'gone';

/**
 * An ad below an answer. The card reserves its space from the start. It requests the ad, which counts as the impression, once half
 * of the card has been in view for a second. An expired part, as in a chat that is opened again, renders nothing and requests nothing.
 */
export function SponsoredCard(props: SponsoredCardProps): ReactElement {
  // A new part is a new ad: the key discards the state of the previous one.
  return createElement(OneCard, { ...props, key: props.part.data.token });
}

function OneCard(props: SponsoredCardProps): ReactElement | null {
  const { part, endpoint = '/api/sponsored', className, feedback = true, children } = props;
  const { token, disclosure, expiresAt } = part.data;
  const card = useRef<HTMLElement>(null);
  const [state, setState] = useState<State>('unseen');
  const isLive = useIsLive(expiresAt);
  const isShown = state === 'unseen' ? isLive : state !== 'gone';

  useEffect(() => {
    if (!isShown || !card.current) return;
    const unmounted = new AbortController();
    const stop = onViewable(card.current, () => {
      setState('loading');
      fetchAd(endpoint, token, unmounted.signal).then(
        (ad) => setState(ad ?? 'gone'),
        () => unmounted.signal.aborted || setState('failed'),
      );
    });
    return () => {
      stop();
      unmounted.abort();
    };
  }, [endpoint, token, isShown]);

  if (!isShown) return null;
  const isFailed = state === 'failed';
  const ad = typeof state === 'object' ? state : undefined;
  return createElement(
    'aside',
    {
      ref: card,
      className,
      'aria-label': ad?.advertiser ? `${disclosure}: ${ad.advertiser}` : disclosure,
      'aria-busy': state === 'unseen' || state === 'loading',
      'aria-hidden': isFailed || undefined,
      style: isFailed ? { ...BOX, visibility: 'hidden' } : BOX,
    },
    createElement(
      'small',
      { style: LABEL },
      [disclosure, ad?.advertiser].filter(Boolean).join(' · '),
      feedback &&
        ad?.feedbackUrl &&
        createElement(NotRelevant, { url: ad.feedbackUrl, onReported: () => setState('rejected') }),
    ),
    ad && (children?.(ad) ?? renderAd(ad)),
    // The button had the focus and is gone: move it here, so that it is not lost and a screen reader reads the text.
    state === 'rejected' &&
      createElement('p', { ref: focus, tabIndex: -1, style: THANKS }, 'Thanks, the ad is hidden.'),
  );
}

/** Whether a part has not expired yet; true without an expiry. */
function useIsLive(expiresAt: string | undefined): boolean {
  const until = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  const subscribe = useCallback(
    (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const watch = () => {
        const ms = until - Date.now();
        if (ms <= 0) onChange();
        else if (ms <= MAX_TIMER_MS) timer = setTimeout(watch, ms);
      };
      watch();
      return () => clearTimeout(timer);
    },
    [until],
  );
  // A server-rendered page may reach the browser after the part has expired: only the browser can decide, after hydration.
  const onServer = () => until === Number.POSITIVE_INFINITY;
  return useSyncExternalStore(subscribe, () => Date.now() < until, onServer);
}

/** setTimeout fires immediately for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const renderAd = ({ url, headline, description, callToAction }: SponsoredAd): ReactElement =>
  createElement(
    'a',
    { href: url, target: '_blank', rel: 'sponsored noopener noreferrer', style: LINK },
    createElement('strong', { style: LINE }, headline),
    description && createElement('span', { style: LINE }, description),
    callToAction && createElement('span', { style: ACTION }, callToAction),
  );

interface NotRelevantProps {
  url: string;
  onReported: () => void;
}

/** The button of a reader who finds the ad not relevant. While it sends, it does nothing but keeps the focus. */
function NotRelevant({ url, onReported }: NotRelevantProps): ReactElement {
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  const isSending = useRef(false);
  const report = async () => {
    if (isSending.current) return;
    isSending.current = true;
    setState('sending');
    try {
      await reportNotRelevant(url);
      onReported();
    } catch {
      isSending.current = false;
      setState('failed');
    }
  };
  return createElement(
    'button',
    { type: 'button', onClick: report, 'aria-disabled': state === 'sending', style: BUTTON },
    createElement('span', { 'aria-live': 'polite' }, REPORT_LABELS[state]),
  );
}

const REPORT_LABELS = { idle: 'Not relevant', sending: 'Sending…', failed: 'Not sent. Try again' };

const focus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

const REPORT_TIMEOUT_MS = 10_000;

/** Sends nothing about the reader, and outlives the page. @throws Error if the request fails */
async function reportNotRelevant(url: string): Promise<void> {
  const options = { keepalive: true, credentials: 'omit', referrerPolicy: 'no-referrer' } as const;
  const response = await fetch(url, { method: 'POST', ...options, signal: AbortSignal.timeout(REPORT_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`Not reported: ${response.status}`);
}

/** Fetches the ad; undefined if it has expired. @throws Error if the request fails */
async function fetchAd(endpoint: string, token: string, signal: AbortSignal): Promise<SponsoredAd | undefined> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ token }), signal });
  if (response.status === 404) return undefined;
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
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0.5rem',
  minHeight: '1.5rem',
  marginBottom: '0.25rem',
  fontSize: 'var(--sponsored-label-size, 0.8em)',
};
const BUTTON: CSSProperties = {
  flex: 'none',
  minHeight: '1.5rem',
  padding: '0 0.25rem',
  margin: '0 -0.25rem 0 0',
  border: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  textDecoration: 'underline',
  cursor: 'pointer',
};
const THANKS: CSSProperties = { margin: 0, outline: 'none' };
const LINK: CSSProperties = { display: 'block', color: 'inherit', textDecoration: 'none' };
const LINE: CSSProperties = { display: 'block' };
const ACTION: CSSProperties = {
  display: 'block',
  marginTop: '0.25rem',
  color: 'var(--sponsored-link, inherit)',
  textDecoration: 'underline',
};
