import * as preact from 'preact';
import { act, createElement } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SponsoredCardElement } from '../../../packages/ai/src/card.ts';
import type { CardEvent, SponsoredData } from '../../../packages/ai/src/index.ts';
import { SponsoredCard } from '../../../packages/ai/src/react.ts';

const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const AD = {
  ...{ disclosure: 'Sponsored', advertiser: 'Fleet Feet', headline: 'Run further', description: '', callToAction: '' },
  url: 'https://ads.test/api/v1/click/1',
};
const SEEN_MS = 1_000;

let observers: IntersectionObserverCallback[] = [];
let asked: { url: string; token: string; signal: AbortSignal }[] = [];
let answer: () => Response | Promise<Response> = () => Response.json(AD);
let root: Root | undefined;
let place: HTMLElement;
let reports: [url: string, options: RequestInit][] = [];
let respondToReport: () => Response | Promise<Response>;
let views: [url: string, options: RequestInit][] = [];
const FEEDBACK_URL = 'https://ads.test/api/v1/feedback/1';
const VIEWABLE_URL = 'https://ads.test/api/v1/viewable/1';

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  observers = [];
  asked = [];
  reports = [];
  views = [];
  respondToReport = () => new Response(null, { status: 204 });
  answer = () => Response.json(AD);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #told: IntersectionObserverCallback;
      constructor(told: IntersectionObserverCallback) {
        this.#told = told;
        observers.push(told);
      }
      observe() {}
      disconnect() {
        observers = observers.filter((one) => one !== this.#told);
      }
    },
  );
  vi.stubGlobal('fetch', async (url: string, options: RequestInit & { body: string; signal: AbortSignal }) => {
    if (url === FEEDBACK_URL) {
      reports.push([url, options]);
      return respondToReport();
    }
    if (url === VIEWABLE_URL) {
      views.push([url, options]);
      throw new TypeError('the network is down');
    }
    const { body, signal } = options;
    asked.push({ url, ...JSON.parse(body), signal });
    return answer();
  });
  place = document.createElement('div');
  document.body.append(place);
});
afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  place.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const getPart = (token: string, expiresIn?: number): { data: SponsoredData } => ({
  data: {
    disclosure: 'Sponsored',
    token,
    ...(expiresIn !== undefined && { expiresAt: new Date(NOW + expiresIn).toISOString() }),
  },
});
const getCards = (parts: { data: SponsoredData }[]) =>
  parts.map((part) => createElement(SponsoredCard, { key: part.data.token, part }));

async function render(...parts: { data: SponsoredData }[]): Promise<void> {
  root ??= createRoot(place);
  await act(async () => root!.render(getCards(parts)));
}
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Brings a share of every card into view. */
function look(intersectionRatio: number): void {
  const entry = { intersectionRatio } as IntersectionObserverEntry;
  for (const told of observers) told([entry], undefined as never);
}
/** Brings every card into view for a second. */
async function see(): Promise<void> {
  await act(async () => look(1));
  await wait(SEEN_MS);
}
const cards = () => [...place.querySelectorAll('aside')];

describe('SponsoredCard', () => {
  it('reserves its space at once, and shows its ad after a second in view', async () => {
    await render(getPart('a', 300_000));
    expect(cards().map((card) => [card.style.visibility, card.textContent])).toEqual([['', 'Sponsored']]);
    expect(asked).toEqual([]);
    await see();
    expect(asked.map(({ token }) => token)).toEqual(['a']);
    expect(cards()[0]!.textContent).toBe('Sponsored · Fleet FeetRun further');
  });

  it('lets the reader report that the ad is not relevant: hides it, says thanks, keeps the focus, and reports once', async () => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    await render(getPart('a', 300_000));
    expect(place.querySelector('button')).toBeNull();
    await see();
    const button = place.querySelector('button')!;
    expect([button.type, button.textContent]).toEqual(['button', 'Not relevant']);
    button.focus();
    await act(async () => button.click());
    expect(cards()[0]!.textContent).toBe('SponsoredThanks, the ad is hidden.');
    expect(document.activeElement?.textContent).toBe('Thanks, the ad is hidden.');
    expect(place.querySelector('button')).toBeNull();
    const options = { method: 'POST', keepalive: true, credentials: 'omit', referrerPolicy: 'no-referrer' };
    expect(reports).toEqual([[FEEDBACK_URL, { ...options, signal: expect.any(AbortSignal) }]]);
    await wait(600_000);
    expect(cards()[0]!.textContent).toBe('SponsoredThanks, the ad is hidden.');
  });

  it('sends a report once however often the button is pressed, keeps the ad if it fails, and lets the reader try again', async () => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    let fail = (_: Error) => {};
    respondToReport = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    await render(getPart('a', 300_000));
    await see();
    const button = place.querySelector('button')!;
    button.focus();
    await act(async () => {
      button.click();
      button.click();
    });
    await act(async () => button.click());
    expect([button.textContent, button.ariaDisabled, reports.length]).toEqual(['Sending…', 'true', 1]);
    await act(async () => fail(new TypeError('the network is down')));
    expect([button.textContent, button.ariaDisabled]).toEqual(['Not sent. Try again', 'false']);
    expect([button.querySelector('[aria-live=polite]')?.textContent, document.activeElement]).toEqual([
      'Not sent. Try again',
      button,
    ]);
    expect(cards()[0]!.textContent).toContain('Run further');
    respondToReport = () => new Response(null, { status: 503 });
    await act(async () => button.click());
    expect(button.textContent).toBe('Not sent. Try again');
    respondToReport = () => new Response(null, { status: 204 });
    await act(async () => button.click());
    expect(cards()[0]!.textContent).toBe('SponsoredThanks, the ad is hidden.');
    expect(reports).toHaveLength(3);
  });

  it('has no button without feedback, or without a URL for it', async () => {
    await render(getPart('a'));
    await see();
    expect(place.querySelector('button')).toBeNull();
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    const part = getPart('b');
    await act(async () => root!.render(createElement(SponsoredCard, { part, feedback: false })));
    await see();
    expect(cards()[0]!.textContent).toContain('Run further');
    expect(place.querySelector('button')).toBeNull();
  });

  it('renders nothing for an expired part, so a reopened chat requests no ads and has no blank spaces', async () => {
    await render(...['a', 'b', 'c', 'd', 'e'].map((token, at) => getPart(token, -at * 60_000)));
    await see();
    expect(place.innerHTML).toBe('');
    expect([asked, observers]).toEqual([[], []]);
  });

  it('disappears if the part expires unseen, and requests nothing afterwards', async () => {
    await render(getPart('a', 5_000));
    await wait(4_999);
    expect(cards()).toHaveLength(1);
    await wait(1);
    expect([place.innerHTML, observers]).toEqual(['', []]);
    await see();
    expect(asked).toEqual([]);
  });

  it('keeps a shown or requested ad after the part has expired', async () => {
    let respond = (_: Response) => {};
    answer = () => new Promise((resolve) => (respond = resolve));
    await render(getPart('a', 1_500));
    await see();
    await wait(1_000);
    expect(asked[0]!.signal.aborted).toBe(false);
    await act(async () => respond(Response.json(AD)));
    expect(cards()[0]!.textContent).toContain('Run further');
    await wait(600_000);
    expect(cards()[0]!.textContent).toContain('Run further');
  });

  it('renders nothing if the route returns 404, also for a part without an expiry', async () => {
    answer = () => Response.json({ statusCode: 404 }, { status: 404 });
    await render(getPart('old'), getPart('withdrawn', 300_000));
    expect(cards()).toHaveLength(2);
    await see();
    expect(asked).toHaveLength(2);
    expect(place.innerHTML).toBe('');
  });

  it('keeps its space empty if the ad request fails, so the content below does not move', async () => {
    answer = () => Response.json({ statusCode: 503 }, { status: 503 });
    await render(getPart('a', 300_000));
    await see();
    expect(cards().map((card) => [card.style.visibility, card.getAttribute('aria-hidden')])).toEqual([
      ['hidden', 'true'],
    ]);
  });

  it('is not rendered on the server, whose pages may be cached, and appears in the browser if it has not expired', async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const parts = [getPart('over', -1), getPart('a', 300_000)];
    const html = renderToString(getCards(parts));
    expect(html).toBe('');
    place.innerHTML = html;
    await act(async () => {
      root = hydrateRoot(place, getCards(parts));
    });
    expect(cards()).toHaveLength(1);
    await see();
    expect(asked.map(({ token }) => token)).toEqual(['a']);
    expect(complaints).not.toHaveBeenCalled();
    complaints.mockRestore();
  });

  it('tells what happens to the ad, to the newest listener', async () => {
    const part = getPart('a');
    const told: [listener: string, event: CardEvent][] = [];
    const renderWith = (listener: string) =>
      act(async () => {
        root ??= createRoot(place);
        root.render(createElement(SponsoredCard, { part, onEvent: (event) => told.push([listener, event]) }));
      });
    await renderWith('first');
    await see();
    await renderWith('second');
    await see();
    place.querySelector('a')!.click();
    expect(told).toEqual([
      ['second', { type: 'viewed', bidId: 'a' }],
      ['second', { type: 'clicked', bidId: 'a' }],
    ]);
  });

  it('renders the ad with its child below the disclosure, and renders it again when the child changes', async () => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    const part = getPart('a');
    const renderAs = (tag: string) =>
      act(async () => {
        root ??= createRoot(place);
        const children = ({ headline }: { headline: string }) => createElement(tag, null, headline);
        root.render(createElement(SponsoredCard, { part, className: 'mine', children }));
      });
    await renderAs('h4');
    expect(place.querySelector('h4')).toBeNull();
    await see();
    expect(place.querySelector('.mine aside h4')?.textContent).toBe('Run further');
    expect(cards()[0]!.textContent).toBe('Sponsored · Fleet FeetNot relevantRun further');
    await renderAs('h5');
    expect([place.querySelector('h4'), place.querySelector('h5')?.textContent]).toEqual([null, 'Run further']);
    await act(async () => place.querySelector('button')!.click());
    expect(cards()[0]!.textContent).toBe('SponsoredThanks, the ad is hidden.');
    await act(async () => root!.render(null));
    expect(place.innerHTML).toBe('');
  });
});

describe('<sponsored-card>', () => {
  const open = (data: SponsoredData | undefined, properties: Partial<SponsoredCardElement> = {}) => {
    const card = Object.assign(document.createElement('sponsored-card'), properties, { data });
    place.append(card);
    return card;
  };
  /** Records the card's events where a page listens: above the card. */
  const listen = () => {
    const told: CardEvent[] = [];
    for (const type of ['viewed', 'clicked'])
      place.addEventListener(type, (event) => event instanceof CustomEvent && told.push(event.detail));
    return told;
  };

  it('works in plain HTML, with attributes', async () => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    place.innerHTML = `<sponsored-card token="a" expires-at="${at(300_000)}" endpoint="/ad" feedback="false"></sponsored-card>
<sponsored-card token="old" expires-at="${at(-1)}"></sponsored-card><sponsored-card></sponsored-card>`;
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored']);
    await see();
    expect(asked.map(({ url, token }) => [url, token])).toEqual([['/ad', 'a']]);
    expect(cards()[0]!.textContent).toBe('Sponsored · Fleet FeetRun further');
    expect(place.querySelector('button')).toBeNull();
    place.querySelector('sponsored-card')!.setAttribute('feedback', 'true');
    expect(place.querySelector('button')?.textContent).toBe('Not relevant');
  });

  it('keeps what was set before the element was registered', async () => {
    const early = document.implementation.createHTMLDocument().createElement('sponsored-card');
    const render = vi.fn();
    Object.assign(early, { data: getPart('a').data, endpoint: '/early', render });
    place.append(early);
    await see();
    expect(asked.map(({ url }) => url)).toEqual(['/early']);
    expect(render).toHaveBeenCalledOnce();
  });

  it('shows the ad of an element that was in the page before the module, as in the template of a server', async () => {
    const { customElements } = globalThis;
    place.innerHTML = '<late-card token="a"></late-card>';
    vi.stubGlobal('customElements', {
      get: () => undefined,
      define: (_: string, card: CustomElementConstructor) => customElements.define('late-card', card),
    });
    const late = '../../../packages/ai/src/card.ts?late';
    await import(late);
    await see();
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored · Fleet FeetRun further']);
  });

  it('can be imported twice', async () => {
    const again = '../../../packages/ai/src/card.ts?again';
    await expect(import(again)).resolves.toBeDefined();
  });

  it('shows hostile texts as text, and follows links to web pages only', async () => {
    const headline = '<img src=x onerror="alert(1)">';
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a hostile text
    answer = () => Response.json({ ...AD, headline, advertiser: '<b>${x}</b>', feedbackUrl: 'javascript:alert(1)' });
    open(getPart('a').data);
    await see();
    expect(cards()[0]!.textContent).toContain(headline);
    expect(place.querySelectorAll('img, b, button')).toHaveLength(0);

    const render = vi.fn();
    answer = () => Response.json({ ...AD, imageUrl: 'data:image/svg+xml,x', viewableUrl: 'ftp://ads.test' });
    open(getPart('b').data, { render });
    await see();
    expect(render.mock.calls).toEqual([[AD, expect.any(HTMLElement)]]);
    await see();
    expect(views).toEqual([]);

    answer = () => Response.json({ ...AD, url: ' javascript:alert(1)' });
    open(getPart('c').data);
    await see();
    expect(cards()[2]!.style.visibility).toBe('hidden');
    expect(place.querySelectorAll('[href^=javascript]')).toHaveLength(0);
  });

  it('tells once that the ad was viewed: a second in view after it appeared, and not while it is out of view', async () => {
    answer = () => Response.json({ ...AD, viewableUrl: VIEWABLE_URL });
    const told = listen();
    open(getPart('a').data);
    await see();
    expect(cards()[0]!.textContent).toContain('Run further');
    await wait(60_000);
    expect([told, views]).toEqual([[], []]);
    look(1);
    await wait(SEEN_MS - 1);
    look(0.49);
    await wait(60_000);
    expect([told, views]).toEqual([[], []]);
    await see();
    const options = { method: 'POST', keepalive: true, credentials: 'omit', referrerPolicy: 'no-referrer' };
    expect([told, views]).toEqual([[{ type: 'viewed', bidId: 'a' }], [[VIEWABLE_URL, options]]]);
    expect(observers).toEqual([]);
  });

  it('posts nothing if the ad has no URL for views, and names the bid of its token', async () => {
    const told = listen();
    open(getPart('1f2e-3d.5fa0').data);
    await see();
    await see();
    expect([told, views]).toEqual([[{ type: 'viewed', bidId: '1f2e-3d' }], []]);
  });

  it('tells once that the ad was clicked, with any button that follows the link', async () => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    const told = listen();
    open(getPart('a').data);
    await see();
    place.querySelector('button')!.click();
    cards()[0]!.click();
    const press = (button: number) =>
      place.querySelector('a strong')!.dispatchEvent(new MouseEvent('auxclick', { button, bubbles: true }));
    press(2);
    expect(told).toEqual([]);
    press(1);
    place.querySelector('a')!.click();
    expect(told).toEqual([{ type: 'clicked', bidId: 'a' }]);
  });

  it('discards its ad for the part of another, not for an equal part', async () => {
    const card = open(getPart('a').data);
    await see();
    card.data = getPart('a').data;
    expect(cards()[0]!.textContent).toContain('Run further');
    card.data = getPart('b').data;
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored']);
    await see();
    expect(asked.map(({ token }) => token)).toEqual(['a', 'b']);
    card.data = undefined;
    expect([cards(), observers]).toEqual([[], []]);
  });

  it.each([
    ['token', 'expires-at'],
    ['expires-at', 'token'],
  ])('shows the ad of new attributes, first %s and then %s, after another has expired', async (...names) => {
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    place.innerHTML = `<sponsored-card token="a" expires-at="${at(-1)}"></sponsored-card>`;
    expect(cards()).toEqual([]);
    for (const name of names)
      place.querySelector('sponsored-card')!.setAttribute(name, name === 'token' ? 'b' : at(300_000));
    await see();
    expect(asked.map(({ token }) => token)).toEqual(['b']);
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored · Fleet FeetRun further']);
  });

  it('says what is missing if its data is the part, and keeps its ad', async () => {
    const card = open(getPart('a').data);
    await see();
    expect(() => Object.assign(card, { data: getPart('b') })).toThrow("set it to the `data` of the ad's part");
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored · Fleet FeetRun further']);
  });

  it('is labeled also if the data does not say so', () => {
    const data: Partial<SponsoredData> = { token: 'a' };
    place.append(Object.assign(document.createElement('sponsored-card'), { data }));
    expect(cards().map((card) => [card.textContent, card.ariaLabel])).toEqual([['Sponsored', 'Sponsored']]);
  });

  it('keeps its ad when it is moved, and asks again for one that it was still waiting for', async () => {
    answer = () => new Promise(() => {});
    const told = listen();
    const card = open(getPart('a').data);
    await see();
    place.prepend(card);
    expect(asked[0]!.signal.aborted).toBe(true);
    answer = () => Response.json(AD);
    await see();
    expect(asked).toHaveLength(2);
    const shown = place.querySelector('a');
    card.remove();
    expect(observers).toEqual([]);
    place.append(card);
    expect(place.querySelector('a')).toBe(shown);
    await see();
    place.append(card);
    await see();
    expect(told).toEqual([{ type: 'viewed', bidId: 'a' }]);
  });

  it('replaces what a copy of it contains, as when a page is restored from a cache of its HTML', async () => {
    place.innerHTML = '<sponsored-card token="a"></sponsored-card>';
    await see();
    place.innerHTML = String(place.innerHTML);
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored']);
    await see();
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored · Fleet FeetRun further']);
  });

  it('does not take the focus from a reader who writes on while the report is sent', async () => {
    let respond = (_: Response) => {};
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    respondToReport = () => new Promise((resolve) => (respond = resolve));
    open(getPart('a').data);
    const question = document.createElement('input');
    place.append(question);
    await see();
    place.querySelector('button')!.click();
    question.focus();
    respond(new Response(null, { status: 204 }));
    await vi.waitFor(() => expect(cards()[0]!.textContent).toContain('Thanks'));
    expect(document.activeElement).toBe(question);
  });

  it.each(['its ad', 'a report'])('ignores %s that arrives after the part of another', async (late) => {
    const ad = { ...AD, feedbackUrl: FEEDBACK_URL };
    const showAnother = () => {
      card.data = getPart('b').data;
    };
    answer = () => {
      const response = Response.json(ad);
      if (late === 'its ad' && asked.length === 1)
        response.json = async () => {
          showAnother();
          return ad;
        };
      return response;
    };
    respondToReport = () => {
      showAnother();
      return new Response(null, { status: 204 });
    };
    const card = open(getPart('a').data);
    await see();
    place.querySelector('button')?.click();
    await wait(0);
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored']);
    await see();
    expect(asked.map(({ token }) => token)).toEqual(['a', 'b']);
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored · Fleet FeetNot relevantRun further']);
  });

  it('takes its part, its settings, and its listeners from a template of Preact, which sets properties as Vue and Svelte do', async () => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    const onviewed = vi.fn();
    const show = (token: string) =>
      preact.render(
        preact.h('sponsored-card', { ...getPart(token, 300_000), endpoint: '/ad', feedback: 'false', onviewed }),
        place,
      );
    show('a');
    show('b');
    await see();
    await see();
    expect(asked.map(({ url, token }) => [url, token])).toEqual([['/ad', 'b']]);
    expect(cards().map(({ textContent }) => textContent)).toEqual(['Sponsored · Fleet FeetRun further']);
    expect(onviewed).toHaveBeenCalledOnce();
    expect(place.querySelector('sponsored-card')!.getAttributeNames()).toEqual(['style']);
  });

  it('tells that it renders nothing, when the part expires or the route returns 404', async () => {
    const gone: string[] = [];
    answer = () => Response.json({ statusCode: 404 }, { status: 404 });
    for (const [token, expiresIn] of [
      ['expired', 500],
      ['withdrawn', 300_000],
    ] as const)
      open(getPart(token, expiresIn).data).addEventListener('gone', () => gone.push(token));
    await see();
    expect([gone, asked.map(({ token }) => token), cards()]).toEqual([['expired', 'withdrawn'], ['withdrawn'], []]);
    expect([...place.querySelectorAll<HTMLElement>('sponsored-card')].map(({ style }) => style.display)).toEqual([
      'none',
      'none',
    ]);
  });

  it.each(['false', false])('has no button if feedback is set to %o, as by a framework', async (feedback) => {
    answer = () => Response.json({ ...AD, feedbackUrl: FEEDBACK_URL });
    Object.assign(open(getPart('a').data), { feedback });
    await see();
    expect([cards()[0]!.textContent, place.querySelector('button')]).toEqual([
      'Sponsored · Fleet FeetRun further',
      null,
    ]);
  });
});
