import { act, createElement } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SponsoredData } from '../../../packages/ai/src/index.ts';
import { SponsoredCard } from '../../../packages/ai/src/react.ts';

const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const AD = {
  ...{ disclosure: 'Sponsored', advertiser: 'Fleet Feet', headline: 'Run further', description: '', callToAction: '' },
  url: 'https://ads.test/api/v1/click/1',
};
const SEEN_MS = 1_000;

let observers: IntersectionObserverCallback[] = [];
let asked: { token: string; signal: AbortSignal }[] = [];
let answer: () => Response | Promise<Response> = () => Response.json(AD);
let root: Root | undefined;
let place: HTMLElement;
let reports: [url: string, options: RequestInit][] = [];
let respondToReport: () => Response | Promise<Response>;
const FEEDBACK_URL = 'https://ads.test/api/v1/feedback/1';

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  observers = [];
  asked = [];
  reports = [];
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
    const { body, signal } = options;
    asked.push({ ...JSON.parse(body), signal });
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

/** Brings every card into view for a second. */
async function see(): Promise<void> {
  const entry = { intersectionRatio: 1 } as IntersectionObserverEntry;
  await act(async () => {
    for (const told of observers) told([entry], undefined as never);
  });
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
});
