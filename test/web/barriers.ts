import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ['light', 'dark'] as const;

/** What listens for another scheme hears of it before the next frame. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(resolve))';
/** Rules of axe on colours. A scheme changes nothing else, see styles.test.ts: the second of them is looked at for these alone. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** What keeps people out of a page as it stands, or of a part of it, wide and narrow, light and dark: each rule with the elements that break it. */
export async function barriers(page: Page, within = 'html'): Promise<string[]> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const found = await atWidths(page, async (width) => {
    const all: string[] = [];
    for (const [place, colorScheme] of SCHEMES.entries()) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(DRAWN);
      for (const violation of await violations(page, within, place === 0 ? undefined : COLOURS))
        all.push(`${colorScheme}, ${width} px: ${violation}`);
    }
    return [...new Set(all), ...(await overflowAt(page, width))];
  });
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return found.map((barrier) => `${new URL(page.url()).pathname} ${barrier}`);
}

/** Where a page is wider than the window. */
export const overflows = (page: Page): Promise<string[]> => atWidths(page, (width) => overflowAt(page, width));

async function atWidths(page: Page, look: (width: number) => Promise<string[]>): Promise<string[]> {
  const before = page.viewportSize()!;
  const found: string[] = [];
  for (const size of WIDTHS) {
    await page.setViewportSize(size);
    found.push(...(await look(size.width)));
  }
  await page.setViewportSize(before);
  return found;
}

/** A chart is drawn anew a moment after its place is another size. */
async function overflowAt(page: Page, width: number): Promise<string[]> {
  let overflow = 0;
  const fits = async () => {
    overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    return overflow === 0;
  };
  await vi.waitUntil(fits, { timeout: 10_000 }).catch(() => {});
  return overflow === 0 ? [] : [`${overflow} px too wide for ${width} px`];
}

async function violations(page: Page, within: string, runOnly?: string[]): Promise<string[]> {
  // Half a megabyte, once a page; and its value, were it given back, is all of axe.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`(() => {${axe}})()`);
  return page.evaluate(
    async ([part, only]) => {
      // biome-ignore lint/suspicious/noExplicitAny: a browser's globals
      const { axe } = globalThis as any;
      const { violations: all } = await axe.run(
        { include: [part] },
        { resultTypes: ['violations'], preload: false, ...only },
      );
      return all.flatMap(({ id, nodes }: { id: string; nodes: { html: string; target: string[] }[] }) =>
        nodes.map(({ html, target }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`),
      );
    },
    [within, runOnly && { runOnly }] as const,
  );
}
