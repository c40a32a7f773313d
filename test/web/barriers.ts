import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What keeps people out of a page as it stands, or of a part of it: each rule with the elements that break it. Looked at as it is, and
 * then dark instead of light, or the reverse, and as narrow as a phone: neither depends on the other (see styles.test.ts), so one look
 * at another of each tells it.
 */
export async function barriers(page: Page, within = 'html'): Promise<string[]> {
  const found = await violations(page, within);
  const wide = page.viewportSize()!;
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  found.push(...(await violations(page, within)));
  // A chart is drawn anew a moment after its place is another size.
  let overflow = 0;
  const fits = async () => {
    overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    return overflow === 0;
  };
  await vi.waitUntil(fits, { timeout: 10_000 }).catch(() => {});
  if (overflow !== 0) found.push(`${overflow} px too wide for a phone`);
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  await page.setViewportSize(wide);
  return found.map((barrier) => `${new URL(page.url()).pathname} ${within}: ${barrier}`);
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
