import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** axe's color rules. Only these depend on the color scheme, and only they do not depend on the width; see styles.test.ts. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES = {
  all: {},
  /** Only for what was not on the page when it was checked in these colors. */
  coloursOfNew: { runOnly: COLOURS },
};
type Rules = keyof typeof RULES;

/** axe's rule, but without its exception for large text, which may be small in a narrow window. */
const CONTRAST = {
  ...{ ignoreUnicode: true, ignoreLength: false, ignorePseudo: false, pseudoSizeThreshold: 0.25 },
  ...{ boldValue: 700, boldTextPt: 1_000, largeTextPt: 1_000, shadowOutlineEmMax: 0.2, textStrokeEmMin: 0.03 },
  contrastRatio: { normal: { expected: 4.5 }, large: { expected: 4.5 } },
};

/** Finds accessibility violations of a page or a part of it, wide and narrow, light and dark: each violated rule with its elements. */
export async function barriers(page: Page, within = 'html'): Promise<string[]> {
  const before = page.viewportSize()!;
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found: string[] = [];
  const look = async (colours: 'light' | 'dark', { width }: Size, rules: Rules): Promise<void> => {
    for (const violation of await violations(page, within, colours, rules))
      found.push(`${colours}, ${width} px: ${violation}`);
  };
  await loadAxe(page);
  await resize(page, WIDE);
  await look(scheme, WIDE, 'all');
  found.push(...(await overflowAt(page, WIDE.width)));
  await resize(page, NARROW);
  await look(scheme, NARROW, 'coloursOfNew');
  await page.emulateMedia({ colorScheme: other });
  await look(other, NARROW, 'all');
  found.push(...(await overflowAt(page, NARROW.width)));
  await resize(page, WIDE);
  await look(other, WIDE, 'coloursOfNew');
  await resize(page, before);
  await page.emulateMedia({ colorScheme: scheme });
  return [...new Set(found)].map((barrier) => `${new URL(page.url()).pathname} ${barrier}`);
}

type Size = typeof WIDE;

/** Skipped if the size is the same, because the browser would render the page again. */
async function resize(page: Page, { width, height }: Size): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
}

/** A chart renders again shortly after its container is resized. */
async function overflowAt(page: Page, width: number): Promise<string[]> {
  let overflow = 0;
  const fits = async () => {
    overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    // Below 0, there is room that is kept for a scrollbar.
    return overflow <= 0;
  };
  await vi.waitUntil(fits, { timeout: 60_000 }).catch(() => {});
  return overflow <= 0 ? [] : [`${overflow} px too wide for ${width} px`];
}

/** Injects axe (half a megabyte) once per page. Must not return the script's value, which would transfer all of axe. */
async function loadAxe(page: Page): Promise<void> {
  const isThere = await page.evaluate("globalThis.read = {}, 'axe' in globalThis");
  if (!isThere) await page.evaluate(`(() => {${axe}})()`);
}

function violations(page: Page, within: string, colours: 'light' | 'dark', name: Rules): Promise<string[]> {
  return page.evaluate(
    async ([within, colours, name, rules, contrast]) => {
      // biome-ignore lint/suspicious/noExplicitAny: a browser's globals
      const browser = globalThis as any;
      const { axe, document, read } = browser;
      // Listeners for the color scheme run before the next frame.
      await new Promise(browser.requestAnimationFrame);
      // biome-ignore lint/suspicious/noExplicitAny: an element
      const shown = [...document.querySelectorAll(`${within} *`)].filter((element: any) => {
        const texts = [...element.childNodes].filter(({ nodeType, data }) => nodeType === 3 && data.trim());
        return (texts.length > 0 || element.matches('input, select, textarea')) && element.checkVisibility();
      });
      const part = name === 'all' ? [within] : shown.filter((element) => !read[colours].has(element));
      if (part.length === 0) return [];
      if (name === 'all') read[colours] = new Set(shown);
      axe.configure({ checks: [{ id: 'color-contrast', options: contrast }] });
      const { violations: all } = await axe.run(
        { include: part },
        { resultTypes: ['violations'], preload: false, ...rules },
      );
      return all.flatMap(({ id, nodes }: { id: string; nodes: { html: string; target: string[] }[] }) =>
        nodes.map(({ html, target }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`),
      );
    },
    [within, colours, name, RULES[name], CONTRAST] as const,
  );
}
