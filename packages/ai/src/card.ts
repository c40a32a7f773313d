import type { CardEvent } from './events.ts';
import type { SponsoredAd, SponsoredData } from './part.ts';
import { onViewable } from './viewable.ts';

interface SponsoredCardEvents extends HTMLElementEventMap {
  viewed: CustomEvent<CardEvent>;
  clicked: CustomEvent<CardEvent>;
  /** The ad has expired or was withdrawn, and the card renders nothing. */
  gone: Event;
}

/**
 * `<sponsored-card>`: an ad below an answer. Importing this module registers the element.
 *
 * The card reserves its space from the start. It requests the ad, which counts as the impression, once half of the card has been in
 * view for a second. An expired part, as in a chat that is opened again, renders nothing and requests nothing.
 *
 * It has no shadow root, so the styles of the page apply to what it contains.
 */
export interface SponsoredCardElement extends HTMLElement {
  /** The `data` of the ad's part. In HTML, the attributes `token` and `expires-at` are the same. */
  data: SponsoredData | undefined;
  /** URL of your route. Default: `/api/sponsored`. */
  endpoint: string;
  /** Whether readers can report that the ad is not relevant. Default: true. In HTML: `feedback="false"`. */
  feedback: boolean;
  /** Custom rendering: adds the ad to `place`, once. The disclosure and the button for feedback stay above it. */
  render: RenderAd | undefined;
  addEventListener<Type extends keyof SponsoredCardEvents>(
    type: Type,
    listener: (event: SponsoredCardEvents[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

export type RenderAd = (ad: SponsoredAd, place: HTMLElement) => void;

declare global {
  interface HTMLElementTagNameMap {
    'sponsored-card': SponsoredCardElement;
  }
}

export const TAG = 'sponsored-card';
export const HEIGHT = 'var(--sponsored-height, 9.5rem)';
const DEFAULT_ENDPOINT = '/api/sponsored';

function createCardClass() {
  return class extends HTMLElement implements SponsoredCardElement {
    static readonly observedAttributes = ['token', 'expires-at', 'feedback'];
    #data: SponsoredData | undefined;
    #endpoint: string | undefined;
    #feedback: boolean | undefined;
    #render: RenderAd | undefined;
    #card: Card | undefined;

    get data(): SponsoredData | undefined {
      const token = this.getAttribute('token');
      const expiresAt = this.getAttribute('expires-at');
      return this.#data ?? (token ? { disclosure: 'Sponsored', token, ...(expiresAt && { expiresAt }) } : undefined);
    }
    set data(data: SponsoredData | undefined) {
      this.#data = data;
      this.#update();
    }

    get endpoint(): string {
      return this.#endpoint ?? this.getAttribute('endpoint') ?? DEFAULT_ENDPOINT;
    }
    set endpoint(endpoint: string | undefined) {
      this.#endpoint = endpoint;
    }

    get feedback(): boolean {
      return this.#feedback ?? this.getAttribute('feedback') !== 'false';
    }
    /** Frameworks set a property where the template has `feedback="false"`. */
    set feedback(feedback: boolean | string | undefined) {
      const before = this.feedback;
      this.#feedback = feedback === undefined ? undefined : String(feedback) !== 'false';
      if (this.feedback !== before) this.#card?.draw();
    }

    get render(): RenderAd | undefined {
      return this.#render;
    }
    set render(render: RenderAd | undefined) {
      this.#render = render;
    }

    connectedCallback(): void {
      // A property that was set before the element was registered hides the accessor: set it again.
      for (const name of ['endpoint', 'feedback', 'render', 'data']) {
        if (!Object.hasOwn(this, name)) continue;
        const value: unknown = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
        Reflect.set(this, name, value);
      }
      if (this.#card?.key === keyOf(this.data)) this.#card?.resume();
      else this.#update();
    }
    disconnectedCallback(): void {
      this.#card?.pause();
    }
    attributeChangedCallback(name: string): void {
      if (name === 'feedback') this.#card?.draw();
      else this.#update();
    }

    /** A new token is a new ad, which discards the state of the previous one. The expiry may arrive after the token. */
    #update(): void {
      const { data } = this;
      if (!this.isConnected || keyOf(data) === this.#card?.key) return;
      const card = data && createCard(this, data);
      this.#card?.close();
      this.#card = card;
      this.#card?.resume();
    }
  };
}

/**
 * `gone` renders nothing. `failed` and `rejected` keep their space, because removing it would move the text that the user is reading.
 */
type State = 'unseen' | 'loading' | 'shown' | 'failed' | 'rejected' | 'gone';

const keyOf = (data: SponsoredData | undefined): string | undefined => data && `${data.token} ${data.expiresAt ?? ''}`;

/** The life of one ad in its element. */
interface Card {
  key: string | undefined;
  /** Draws the label, with or without the button for feedback. */
  draw(): void;
  /** Waits for what comes next. Call it when the element is added to the page. */
  resume(): void;
  /** Stops waiting. The element may come back, as when a list is sorted. */
  pause(): void;
  /** Ends the card for the ad of another. What its requests still return is ignored. */
  close(): void;
}

/** @throws TypeError if the data has no token */
function createCard(host: SponsoredCardElement, data: SponsoredData): Card {
  const { disclosure = 'Sponsored', token, expiresAt } = data;
  if (!token) throw new TypeError("The data of the card has no token: set it to the `data` of the ad's part");
  const until = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  // A token is the bid's ID and a signature (token.ts).
  const bidId = token.replace(/\..*/, '');
  const label = create('small', LABEL);
  const place = create('div', {});
  const box = create('aside', BOX, label, place);
  let state: State = 'unseen';
  let ad: SponsoredAd | undefined;
  let stop = () => {};
  let isClosed = false;
  const told = new Set<CardEvent['type']>();

  const tell = (type: CardEvent['type']) => {
    if (told.has(type)) return;
    told.add(type);
    const detail: CardEvent = { type, bidId };
    host.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  };

  function enter(next: State): void {
    stop();
    state = next === 'unseen' && !(Date.now() < until) ? 'gone' : next;
    draw();
    stop = wait();
    if (state === 'gone') host.dispatchEvent(new Event('gone'));
  }

  function draw(): void {
    host.style.display = state === 'gone' ? 'none' : 'block';
    if (state === 'gone') {
      box.remove();
      return;
    }
    // A copy of the element, as from a cache of the page's HTML, contains the box of the original.
    if (box.parentNode !== host) host.replaceChildren(box);
    const shown = state === 'shown' ? ad : undefined;
    box.setAttribute('aria-label', shown?.advertiser ? `${disclosure}: ${shown.advertiser}` : disclosure);
    box.setAttribute('aria-busy', String(state === 'unseen' || state === 'loading'));
    if (state === 'failed') box.setAttribute('aria-hidden', 'true');
    else box.removeAttribute('aria-hidden');
    box.style.visibility = state === 'failed' ? 'hidden' : '';
    label.replaceChildren([disclosure, shown?.advertiser].filter(Boolean).join(' · '));
    if (host.feedback && shown?.feedbackUrl) label.append(createNotRelevant(shown.feedbackUrl, reject));
  }

  /** Starts what the state waits for, and returns a function that ends it. */
  function wait(): () => void {
    if (state === 'unseen') {
      const stopExpiring = onTime(until, () => enter('gone'));
      const stopWatching = onViewable(box, () => enter('loading'));
      return () => {
        stopExpiring();
        stopWatching();
      };
    }
    if (state === 'loading') {
      const removed = new AbortController();
      fetchAd(host.endpoint, token, removed.signal).then(
        (found) => removed.signal.aborted || show(found),
        () => removed.signal.aborted || enter('failed'),
      );
      return () => removed.abort();
    }
    // The second in which the reader sees the ad begins with the ad, not with its empty space.
    if (state === 'shown' && !told.has('viewed')) return onViewable(place, view);
    return () => {};
  }

  function show(found: SponsoredAd | undefined): void {
    ad = found;
    if (found) (host.render ?? renderAd)(found, place);
    enter(found ? 'shown' : 'gone');
  }

  function view(): void {
    if (ad?.viewableUrl) fetch(ad.viewableUrl, PRIVATE_POST).catch(() => {});
    tell('viewed');
  }

  /**
   * The button is gone: moves its focus to the thanks, so that it is not lost and a screen reader reads them. A reader who writes
   * elsewhere by now keeps the focus there.
   */
  function reject(): void {
    if (isClosed) return;
    const isElsewhere = document.activeElement !== document.body && !box.matches(':focus-within');
    const thanks = create('p', THANKS, 'Thanks, the ad is hidden.');
    thanks.tabIndex = -1;
    // Custom rendering may still own what is in its place: leave it there, out of the page.
    place.replaceWith(thanks);
    enter('rejected');
    if (!isElsewhere) thanks.focus({ preventScroll: true });
  }

  const follow = ({ target, type, button }: MouseEvent) => {
    const isMiddle = type === 'auxclick' && button === 1;
    if ((type === 'click' || isMiddle) && target instanceof Element && target.closest('a[href]')) tell('clicked');
  };
  place.addEventListener('click', follow);
  place.addEventListener('auxclick', follow);

  return {
    key: keyOf(data),
    draw,
    resume() {
      if (state === 'unseen' || state === 'loading') enter('unseen');
      else stop = wait();
    },
    pause() {
      stop();
      stop = () => {};
    },
    close() {
      isClosed = true;
      stop();
      box.remove();
    },
  };
}

/** setTimeout fires immediately for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `act` at a time in epoch milliseconds. Returns a function that cancels it. */
function onTime(time: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    const ms = time - Date.now();
    if (ms <= MAX_TIMER_MS) timer = setTimeout(() => (Date.now() < time ? watch() : act()), ms);
  };
  watch();
  return () => clearTimeout(timer);
}

/** Sends nothing about the reader, and outlives the page. */
const PRIVATE_POST: RequestInit = {
  method: 'POST',
  keepalive: true,
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
};

/** Fetches the ad; undefined if it has expired. @throws Error if the request fails, or the ad has no usable link */
async function fetchAd(endpoint: string, token: string, signal: AbortSignal): Promise<SponsoredAd | undefined> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ token }), signal });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`No ad: ${response.status}`);
  const { imageUrl, feedbackUrl, viewableUrl, ...ad }: SponsoredAd = await response.json();
  if (!isWebUrl(ad.url)) throw new Error('The ad has no link to a web page');
  return {
    ...ad,
    ...(isWebUrl(imageUrl) && { imageUrl }),
    ...(isWebUrl(feedbackUrl) && { feedbackUrl }),
    ...(isWebUrl(viewableUrl) && { viewableUrl }),
  };
}

/** A link with another scheme, such as `javascript:`, would run code in the page. */
function isWebUrl(url: string | undefined): url is string {
  const link = document.createElement('a');
  link.href = url ?? '';
  return Boolean(url) && /^https?:$/.test(link.protocol);
}

function renderAd({ url, headline, description, callToAction }: SponsoredAd, place: HTMLElement): void {
  const link = create('a', LINK, create('strong', LINE, headline));
  link.href = url;
  link.target = '_blank';
  link.rel = 'sponsored noopener noreferrer';
  if (description) link.append(create('span', LINE, description));
  if (callToAction) link.append(create('span', ACTION, callToAction));
  place.append(link);
}

const REPORT_LABELS = { idle: 'Not relevant', sending: 'Sending…', failed: 'Not sent. Try again' };
const REPORT_TIMEOUT_MS = 10_000;

/** The button of a reader who finds the ad not relevant. While it sends, it does nothing but keeps the focus. */
function createNotRelevant(url: string, onReported: () => void): HTMLButtonElement {
  const text = create('span', {});
  text.setAttribute('aria-live', 'polite');
  const button = create('button', BUTTON, text);
  button.type = 'button';
  let isSending = false;
  const draw = (state: keyof typeof REPORT_LABELS) => {
    isSending = state === 'sending';
    button.setAttribute('aria-disabled', String(isSending));
    text.textContent = REPORT_LABELS[state];
  };
  draw('idle');
  button.addEventListener('click', async () => {
    if (isSending) return;
    draw('sending');
    const signal = AbortSignal.timeout(REPORT_TIMEOUT_MS);
    const isReported = await fetch(url, { ...PRIVATE_POST, signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReported) onReported();
    else draw('failed');
  });
  return button;
}

type Style = Partial<CSSStyleDeclaration>;

/** Creates an element. Strings become text, never HTML. A page with a strict `style-src` allows styles that a script sets. */
function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  style: Style,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  Object.assign(element.style, style);
  element.append(...children);
  return element;
}

const BOX: Style = {
  boxSizing: 'border-box',
  height: HEIGHT,
  overflowY: 'auto',
  padding: 'var(--sponsored-padding, 0.75rem 1rem)',
  border: 'var(--sponsored-border, 1px solid currentColor)',
  borderRadius: 'var(--sponsored-radius, 0.5rem)',
  background: 'var(--sponsored-background, transparent)',
  color: 'var(--sponsored-color, inherit)',
  font: 'var(--sponsored-font, inherit)',
};
const LABEL: Style = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0.5rem',
  minHeight: '1.5rem',
  marginBottom: '0.25rem',
  fontSize: 'var(--sponsored-label-size, 0.8em)',
};
const BUTTON: Style = {
  flex: 'none',
  minHeight: '1.5rem',
  padding: '0 0.25rem',
  margin: '0 -0.25rem 0 0',
  border: '0',
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  textDecoration: 'underline',
  cursor: 'pointer',
};
const THANKS: Style = { margin: '0', outline: 'none' };
const LINK: Style = { display: 'block', color: 'inherit', textDecoration: 'none' };
const LINE: Style = { display: 'block' };
const ACTION: Style = {
  display: 'block',
  marginTop: '0.25rem',
  color: 'var(--sponsored-link, inherit)',
  textDecoration: 'underline',
};

// A server has no elements. A page that also uses the React card has registered the element already. This comes last in the module,
// because it runs the callbacks of the elements that are in the page already, as from a server's template.
if (typeof customElements !== 'undefined' && !customElements.get(TAG)) customElements.define(TAG, createCardClass());
