import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createGateway, listen } from '../../infra/local/gateway.ts';
import { type Files, siteFiles } from '../../infra/site/files.ts';
import { createSite } from '../../infra/site/serve.ts';
import { hashCreative } from '../../shared/campaigns/creative-versions.ts';
import { type EndpointName, endpointNames, endpointRow } from '../../shared/http/operations/endpoints.ts';
import type { Verb } from '../../shared/http/operations/rows.ts';
import type { App } from '../../shared/http/runtimes/lambda.ts';
import { hasStream } from '../../shared/platform/tables.ts';
import type { SignInSettings } from '../../shared/platform/values/site-settings.ts';
import { getKeys, toRecord } from '../../shared/platform/values/typed.ts';
import { MORNING, runningShoes, useService } from '../service.ts';
import { MONTH_MS, seedMonth } from './month.ts';
import { openTabs, type PageVisit, type VisitOptions } from './tabs.ts';

/** Debian's browsers. The headless one takes half the processor time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** Path of Chromium: one of Debian's, or the one in CHROMIUM. */
const chromiumPath = process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0];

export const hasBrowser = existsSync(chromiumPath);
if (!hasBrowser) {
  console.warn(
    `SKIPPED: pages are not tested in a browser, there is none at ${chromiumPath} (apt-get install chromium-headless-shell)`,
  );
}

/** Hosts that Chromium itself contacts, for updates and form fields. */
const BROWSERS_OWN = /^\w+ (https?:\/\/)?[\w.-]+\.(google|googleapis|gstatic|gvt1)\.com[:/]/;
const PUMP_MS = 100;
/** Interval for checking queues with delayed messages. */
const LOOK_MS = 2_000;

const WRITES: readonly Verb[] = ['put', 'update', 'remove'];

/** Whether an operation may write to a stream. Pages read far more often than they write. */
const isWriting = (name: EndpointName): boolean => {
  const { tables } = endpointRow(name);
  return getKeys(tables).some((table) => hasStream(table) && tables[table]?.some((verb) => WRITES.includes(verb)));
};

/** Launches a browser with its own background requests turned off as far as possible. */
export const launchBrowser = (args: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });

/** Starts the service with its site, and a browser. A proxy records and rejects every request to another host. */
export function useBrowser() {
  const service = useService({ LOG_LEVEL: 'silent', CREATIVE_REVIEW_EXEMPT: 'alice' });
  const at = {} as { address: string; key: string };
  const past = { impressions: 0, clicks: 0 };
  const escapes: string[] = [];
  let browser: Browser;
  let tabs: Awaited<ReturnType<typeof openTabs>>;
  let trap: Server;
  const servers: ReturnType<typeof createGateway>[] = [];
  let files: Files;
  let pump: NodeJS.Timeout;
  let isAsked = false;

  beforeAll(async () => {
    at.key = await service.key();
    const demo = { users: ['alice', 'newcomer', 'nobody', 'publisher'], apiKey: at.key };
    files = await siteFiles({ demo, signIn: null });
    at.address = await serve(files, (fetch, request, caller) => fetch(request, caller));
    await live();
    let isDraining = false;
    let idleMs = 0;
    pump = setInterval(async () => {
      service.clock.advance(PUMP_MS);
      idleMs += PUMP_MS;
      if (isDraining || !(isAsked || idleMs >= LOOK_MS)) return; // on a busy machine, streams are drained less often
      isDraining = true;
      isAsked = false;
      idleMs = 0;
      await service.stack.drain();
      isDraining = false;
    }, PUMP_MS);
    trap = createServer((socket) => {
      socket.once('data', (data) => {
        const request = String(data).split('\r\n')[0]!;
        if (!BROWSERS_OWN.test(request)) escapes.push(request);
        socket.destroy();
      });
      socket.on('error', () => {});
    });
    const trapPort = await new Promise<number>((resolve) =>
      trap.listen(0, () => resolve((trap.address() as { port: number }).port)),
    );
    // A page runs for seconds, so optimizing its script would cost more than it saves.
    browser = await launchBrowser([`--proxy-server=http://127.0.0.1:${trapPort}`, '--js-flags=--no-opt']);
    tabs = await openTabs(browser, at.address, service.clock.now);
  });

  /** Serves the service and a site, and returns the URL. @param check runs before the app, like a gateway's authorizer */
  async function serve(
    site: Files,
    check: (fetch: App['fetch'], ...request: Parameters<App['fetch']>) => ReturnType<App['fetch']>,
  ): Promise<string> {
    const apps = toRecord(
      endpointNames,
      (name): App => ({
        fetch(request, caller) {
          isAsked ||= isWriting(name);
          const app = service.stack.apps[name];
          return check((asked, by) => app.fetch(asked, by), request, caller);
        },
      }),
    );
    const server = createGateway(apps, createSite(site));
    servers.push(server);
    return `http://localhost:${await listen(server, 0)}`;
  }

  /** Seeds a month of figures before the tests, to have something to plot. */
  async function live() {
    service.clock.set(MORNING - MONTH_MS);
    const picture = { imageUrl: `${at.address}/assets/running.svg`, sponsoredBy: 'Fleet Feet' };
    const creative = { ...runningShoes().creative, ...picture };
    const campaign = await service.campaign({ name: 'Fleet Feet', budget: 600, dailyBudget: 25, creative });
    const { body: key } = await service.user()('POST', '/auth/api-keys', { name: 'Sports chat' });
    await service.stack.drain();
    service.clock.set(MORNING);
    const served = {
      ...{ ...campaign, owner: 'alice', volume: 1, domain: 'shoes.example', conversionUsd: 38 },
      ...{ creatives: [hashCreative(campaign.creative)], topics: ['0oxzsr', '8031lj', 'u4qc7b'] },
      countries: ['US', 'GB', 'DE', 'CA', 'FR', 'AU', 'NL', 'SE'],
      terms: ['k:running shoes', 'p:trail running shoes', 'p:half marathon training plan', 'p:rare'] as const,
    };
    const totals = await seedMonth(service.stack.effects, [served], [{ id: key.id, variants: ['card', 'inline'] }]);
    Object.assign(past, totals.get(campaign.id));
  }

  afterEach(({ task }) => tabs.leave(task.result?.state !== 'fail'));
  afterAll(async () => {
    await browser?.close();
    clearInterval(pump);
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    trap?.close();
  });

  return {
    service,
    at,
    /** The seeded figures of the first campaign. */
    past,
    /** Requests to other origins. */
    escapes,
    /** Serves the same service with sign-in: its gateway accepts only tokens. Returns the URL. */
    serveSignedIn(signIn: SignInSettings, getSubject: (token: string) => string | undefined): Promise<string> {
      const settings = ['assets/settings.json', Buffer.from(JSON.stringify({ demo: null, signIn }))] as const;
      return serve(new Map([...files, settings]), async (fetch, request, caller) => {
        const subject = getSubject(String(request.headers.get('authorization')).replace('Bearer ', ''));
        if (!subject) return Response.json({ message: 'Unauthorized' }, { status: 401 });
        const headers = new Headers(request.headers);
        headers.set('x-user-id', subject);
        return fetch(new Request(request, { headers }), caller);
      });
    },
    visit: (path: string, options: VisitOptions = {}): Promise<PageVisit> => tabs.visit(path, options),
  };
}
