import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers } from './barriers.ts';
import { hasBrowser, useBrowser } from './browser.ts';
import { startIssuer } from './issuer.ts';

const SECONDS = 1000;
const WIDTHS = [390, 1280, 1440, 1920];
/** Of scripts and styles, which come on top of a document's text. */
const MAX_BYTES = 35 * 1024;

const startOf = async (place: Locator) => Math.round((await place.boundingBox())!.x);

describe.skipIf(!hasBrowser)('The documents in a browser', { timeout: 300 * SECONDS }, () => {
  const { at, escapes, serveSignedIn, visit } = useBrowser();
  const account = (page: Page) => page.locator('.account summary');
  const user = (page: Page) => page.getByRole('combobox', { name: 'User' });
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search the documents' });

  it('have the same header as the desk, at one edge with the content, at every width', async () => {
    const { page } = await visit('/campaigns');
    const seen: Record<string, unknown> = {};
    for (const [path, first] of [
      ['/campaigns', 'h1'],
      ['/docs', 'h1'],
      ['/docs/publisher', '#search'],
      ['/docs/reference', '#search'],
    ] as const) {
      await page.goto(at.address + path);
      await account(page).waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const header = page.getByRole('banner');
        const brand = header.getByRole('link', { name: 'Conversation Ads' });
        const sections = header.getByRole('navigation', { name: 'Sections' }).getByRole('link');
        const links = await sections.filter({ visible: true }).all();
        const places = await Promise.all([brand, ...links, account(page)].map((place) => place.boundingBox()));
        for (const place of places) expect(place!.x + place!.width).toBeLessThanOrEqual(width);
        expect(await startOf(page.locator(first).first()), `${path} at ${width}`).toBe(await startOf(brand));
        seen[width] ??= places;
        expect(places, `${path} at ${width}`).toEqual(seen[width]);
      }
    }
    // On a phone, every section is there without scrolling.
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await page.locator('.top nav').evaluate(isScrolled)).toBe(false);
  });

  it('switch the demo user for the desk too', async () => {
    const { page } = await visit('/docs/events');
    await account(page).click();
    await user(page).selectOption('publisher');
    await account(page).getByText('publisher').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await account(page).getByText('publisher').waitFor();
  });

  it('are read without signing in, and know who has signed in', async () => {
    const issuer = await startIssuer();
    const address = await serveSignedIn(issuer.settings, issuer.getSubject);
    const { page } = await visit(`${address}/docs/publisher`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('link', { name: 'Fleet Feet' }).first().waitFor();
    await page.getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'Docs', level: 1 }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('ada@shop.example').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    issuer.close();
  });

  it('are read without scripts, as they are written', async () => {
    const { page } = await visit('/docs/publisher', { javaScriptEnabled: false });
    await page.getByRole('heading', { name: '1. Create an API key' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Webhooks' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('localhost:3000');
    await page.getByRole('link', { name: 'Advertiser quickstart' }).last().click();
    await page.getByRole('heading', { name: 'Advertiser quickstart' }).waitFor();
  });

  it('name the service that serves them, also in what is copied and where requests are tried', async () => {
    const { page } = await visit('/docs/publisher', { permissions: ['clipboard-read', 'clipboard-write'] });
    const text = await page.locator('main').innerText();
    expect(text).not.toContain('localhost:3000');
    expect(text).toContain(`curl -sf ${at.address}/api/v1/auth/api-keys`);
    await page.getByRole('button', { name: 'Copy code' }).first().click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('pre').first().evaluate(textOf));
    expect(copied).toContain(at.address);
    await page.goto(`${at.address}/docs#/ssp`);
    await page.getByRole('combobox', { name: 'Server' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/reference');
    expect(await page.getByRole('combobox', { name: 'Server' }).inputValue()).toBe(at.address);
  });

  it('are searched by keyboard, and load the index only then', async () => {
    // Options of its own give the page a context of its own, with nothing in the cache.
    const { page, complaints } = await visit('/docs/glossary', { colorScheme: 'dark' });
    await account(page).waitFor();
    const loaded = () =>
      page.evaluate<{ name: string; encodedBodySize: number }[]>(
        "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))",
      );
    const first = (await loaded()).filter(({ name }) => /\.(js|css)$/.test(name));
    const bytes = first.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    console.log(`document: ${bytes} bytes of scripts and styles compressed`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect((await loaded()).filter(({ name }) => name.includes('search'))).toEqual([]);

    await page.keyboard.press('/');
    await page.keyboard.type('rotate secr');
    const results = page.getByRole('search').getByRole('link');
    await page.getByText(/^\d+ results$/).waitFor();
    expect(await results.first().innerText()).toMatch(/^Rotate the secret Events/);
    expect(await results.first().locator('mark').allInnerTexts()).toContain('secret');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await results.nth(1).evaluate(isFocused)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await search(page).evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await results.count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await search(page).inputValue()).toBe('');
    await search(page).blur();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('qqqqqq');
    await page.getByText('No results for “qqqqqq”').waitFor();
    await search(page).fill('rotate the secret');
    await page.getByText('Rotate the secret').first().waitFor();
    await search(page).press('Enter');
    await page.waitForURL('**/docs/events#rotate-the-secret');
    expect(complaints).toEqual([]);
  });

  it('mark the section that is being read, and fit on a phone', async () => {
    const { page } = await visit('/docs/api');
    const current = page.locator('nav.contents [aria-current]');
    const { y } = (await page.getByRole('heading', { name: '1.2 Errors' }).boundingBox())!;
    await page.mouse.wheel(0, y - 60);
    await expect.poll(() => current.allInnerTexts()).toEqual(['1.2 Errors']);
    await page.goto(`${at.address}/docs`);
    const paths = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.groups a')].map(({ pathname }) => pathname)",
    );
    expect(paths.length).toBeGreaterThan(20);
    await page.setViewportSize({ width: 390, height: 844 });
    const wide: string[] = [];
    const broken: string[] = [];
    for (const path of paths.filter((name) => name !== '/docs/reference')) {
      await page.goto(at.address + path);
      if (await page.locator('html').evaluate(isScrolled)) wide.push(path);
      broken.push(...(await page.evaluate<string[]>(BROKEN_CODE)));
    }
    expect([wide, broken]).toEqual([[], []]);
    await page.getByText('All documents').click();
    await page.getByRole('link', { name: 'Publisher quickstart' }).first().click();
    await page.getByText('On this page').first().click();
    await page.getByText('All documents').click();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: '3. Show the ad' }).first().click();
    expect(new URL(page.url()).hash).toBe('#3-show-the-ad');
    const shown = page.getByRole('heading', { name: '3. Show the ad' });
    await expect.poll(async () => (await shown.boundingBox())!.y).toBeLessThan(100);
    await page.mouse.wheel(0, 300);
    await expect.poll(async () => (await shown.boundingBox())!.y).toBeLessThan(-100);
    expect(escapes).toEqual([]);
  });
});

/** The parts of inline code that continue on another line. Between them, it may break. */
const BROKEN_CODE = `[...document.querySelectorAll('main :not(pre) > code')]
  .filter((code) => code.checkVisibility())
  .flatMap((code) => [...code.childNodes])
  .filter((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size > 1;
  })
  .map(({ textContent }) => textContent)`;
const isScrolled = (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth > element.clientWidth;
const isFocused = (element: { matches(selector: string): boolean }) => element.matches(':focus');
const textOf = (element: { textContent: string }) => element.textContent;
