import { type FunctionComponent, h, options, render } from 'preact';
import { LocationProvider, Route } from 'preact-iso';
import { vi } from 'vitest';
import { Layout } from '../../../web/parts/layout.tsx';
import { Pages } from '../../../web/parts/pages.tsx';
import { openSession, SessionContext } from '../../../web/session.ts';
import { createToasts, type Toasts } from '../../../web/toasts.ts';

/** A request to the service. */
export interface ServiceCall {
  route: string;
  query: string;
  body: unknown;
  idempotencyKey: string | null;
}

/** Responses by method and path. An object becomes the body of a 200. */
export type Answers = Record<string, (asked: ServiceCall) => unknown>;

const ORIGIN = location.origin;

// Run effects without waiting for a paint. A timer could run them after the document is gone.
options.requestAnimationFrame = queueMicrotask;

// The test document has no showModal.
HTMLDialogElement.prototype.showModal ??= function open(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= () => {};

// The test document has no viewport, so a part that waits to be seen does not load.
globalThis.IntersectionObserver ??= class {
  observe = () => {};
  disconnect = () => {};
} as never;

const PREVIEW = 'POST /api/v1/campaigns/preview';
/** Of an ad that passes the review. */
const NO_PREVIEW = {
  match: null,
  serving: { eligible: true, reasons: [] },
  reach: { conversations: 700, campaign: 0, keywords: [], suggestions: [] },
};

const KEYS = 'GET /api/v1/auth/api-keys';

const respondToPreview = (answer: unknown) =>
  answer instanceof Response ? answer : { ...NO_PREVIEW, ...Object(answer) };

/** Responds as the service does: a key is one of the list, and the query adds the report or the deliveries of what it gets. */
async function respond(answers: Answers, asked: ServiceCall): Promise<unknown> {
  const { route, query } = asked;
  const missing = new Response('{}', { status: 404 });
  const one = async () => {
    if (route === PREVIEW) return respondToPreview(await answers[route]?.(asked));
    if (answers[route]) return answers[route](asked);
    const keys = route.startsWith(`${KEYS}/`) ? await answers[KEYS]?.({ ...asked, query: '' }) : missing;
    return Array.isArray(keys) ? (keys.find(({ id }) => route === `${KEYS}/${id}`) ?? missing) : (keys ?? missing);
  };
  let answer = await one();
  for (const part of ['report', 'deliveries']) {
    const add = query.includes(`${part}=true`) && answers[`${route}/${part}`];
    if (!add || answer instanceof Response) continue;
    const added = await add(asked);
    answer = added instanceof Response ? added : { ...Object(answer), [part]: added };
  }
  return answer;
}

/** The messages of the desk that is open. */
export let toasts: Toasts;

/** Renders pages by route with a fake service. Returns the recorded requests. */
export function openDesk(pages: Record<string, FunctionComponent>, at: string, answers: Answers): ServiceCall[] {
  const all: ServiceCall[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const { pathname, search } = new URL(url, ORIGIN);
    const asked = {
      route: `${init?.method ?? 'GET'} ${pathname}`,
      query: search,
      body: JSON.parse(String(init?.body ?? 'null')),
      idempotencyKey: new Headers(init?.headers).get('idempotency-key'),
    };
    all.push(asked);
    const answer = await respond(answers, asked);
    return answer instanceof Response ? answer : Response.json(answer);
  });
  history.replaceState(null, '', at);
  toasts = createToasts();
  const session = openSession({ kind: 'demo', user: 'alice', apiKey: 'ak_test_1' }, toasts);
  const routes = Object.entries(pages).map(([path, component]) => h(Route, { path, component }));
  const main = h(SessionContext.Provider, { value: session }, h(Pages, null, routes));
  render(
    h(LocationProvider, { scope: /./ }, h(Layout, { account: null, health: session.health, toasts, children: main })),
    document.body,
  );
  return all;
}

/** Removes the whole page. Its storage stays, as after a reload. */
export const closeDesk = (): void => render(null, document.body);

/** Only ends a hang, so a slow machine fails no test. */
const PATIENCE_MS = 60_000;

/** Waits until the check stops throwing, and returns its result. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, PATIENCE_MS);

/** Waits for the first element that matches the selector. */
export const found = <E extends HTMLElement = HTMLElement>(selector: string, says = ''): Promise<E> =>
  waitFor(() => {
    const element = [...document.querySelectorAll<E>(selector)].find(({ textContent }) => textContent.includes(says));
    if (!element) throw new Error(`There is no ${selector} "${says}" in ${document.body.textContent}`);
    return element;
  });

export async function type(selector: string, text: string): Promise<void> {
  const field = await found<HTMLInputElement>(selector);
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

export const push = async (says: string): Promise<void> => (await found('button, a', says)).click();
