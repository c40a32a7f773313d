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

/** What keeps people out of a page as it stands, or of a part of it, wide and narrow, light and dark: each rule with the elements that break it. */
export async function barriers(page: Page, within = 'html'): Promise<string[]> {
  const found = new Set<string>();
  const before = page.viewportSize()!;
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  for (const size of WIDTHS) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const violation of await violations(page, within))
        found.add(`${colorScheme}, ${size.width} px: ${violation}`);
    }
    const overflow = await overflowOf(page);
    if (overflow !== 0) found.add(`${overflow} px too wide for ${size.width} px`);
  }
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  await page.setViewportSize(before);
  return [...found].map((barrier) => `${new URL(page.url()).pathname} ${barrier}`);
}

/** A chart is drawn anew a moment after its place is another size. */
async function overflowOf(page: Page): Promise<number> {
  let overflow = 0;
  const fits = async () => {
    overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    return overflow === 0;
  };
  await vi.waitUntil(fits, { timeout: 10_000 }).catch(() => {});
  return overflow;
}

async function violations(page: Page, within: string): Promise<string[]> {
  // Half a megabyte, once a page; and its value, were it given back, is all of axe.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`(() => {${axe}})()`);
  return page.evaluate(async (part) => {
    // biome-ignore lint/suspicious/noExplicitAny: a browser's globals
    const { axe } = globalThis as any;
    const { violations: all } = await axe.run({ include: [part] }, { resultTypes: ['violations'], preload: false });
    return all.flatMap(({ id, nodes }: { id: string; nodes: { html: string; target: string[] }[] }) =>
      nodes.map(({ html, target }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`),
    );
  }, within);
}
