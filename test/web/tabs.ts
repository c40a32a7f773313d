import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** The user agent of a person's browser. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const viewport = { width: 1440, height: 900 };
/** Only ends a hang, so a slow machine fails no test. */
const PATIENCE_MS = 120_000;
/** A page of the site that makes no requests. */
const STILL = '/assets/icon.svg';

/** An open page, and the browser's complaints about it. */
export interface PageVisit {
  page: Page;
  complaints: string[];
}

interface Tab extends PageVisit {
  /** The injected date of the page, which can be removed. */
  today?: { dispose(): Promise<void> };
}

export interface VisitOptions extends BrowserContextOptions {
  /** The demo user. Default: alice. */
  user?: string;
  /** Runs the page's timers ten times faster. The page has no other waits as long as its polling. */
  isHurried?: boolean;
}

/**
 * Opens tabs of the service. Tabs without special options are cleared and used again, because creating a tab takes longer than showing
 * a page.
 */
export async function openTabs(browser: Browser, address: string, now: () => number) {
  const shared = await createContext({});
  const idle: Tab[] = [];
  const used: Tab[] = [];

  async function createContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext({ userAgent, viewport, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  }

  async function tabIn(context: BrowserContext): Promise<Tab> {
    const page = await context.newPage();
    const tab: Tab = { page, complaints: [] };
    page.on('pageerror', (error) => tab.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) tab.complaints.push(message.text());
    });
    await page.goto(address + STILL);
    return tab;
  }

  async function empty(tab: Tab): Promise<void> {
    const { page } = tab;
    page.removeAllListeners('dialog');
    await page.goto(address + STILL);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await page.setViewportSize(viewport);
    await tab.today?.dispose();
    idle.push(tab);
  }

  return {
    async visit(path: string, { user = 'alice', isHurried = false, ...options }: VisitOptions): Promise<PageVisit> {
      const isUsual = Object.keys(options).length === 0;
      const tab = (isUsual && idle.pop()) || (await tabIn(isUsual ? shared : await createContext(options)));
      used.push(tab);
      const { page } = tab;
      tab.complaints = [];
      // The page's date is the service's; its timers are the browser's.
      tab.today = await page.addInitScript(
        ([shift, factor]) => {
          const { now } = Date;
          Date.now = () => now() + shift;
          const later = globalThis.setTimeout;
          const hurried = (act: () => void, ms = 0) => later(act, ms >= 1_000 && ms <= 10_000 ? ms / factor : ms);
          if (factor > 1) Object.assign(globalThis, { setTimeout: hurried });
        },
        [now() - Date.now(), isHurried ? 10 : 1] as const,
      );
      await page.evaluate((name) => localStorage.setItem('user', name), user);
      await page.goto(new URL(path, address).href);
      return { page, complaints: tab.complaints };
    },
    /** Ends all visits, because an open page keeps polling. @param isReusable whether the tabs may be used again */
    async leave(isReusable: boolean): Promise<void> {
      for (const tab of used.splice(0)) {
        const { page } = tab;
        // A response for a page that is closing is not an error.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        if (page.context() !== shared) await page.context().close();
        else if (isReusable) await empty(tab);
        else await page.close();
      }
      await shared.setOffline(false);
    },
  };
}
