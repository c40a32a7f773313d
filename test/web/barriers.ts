import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Rules of axe on colours. A scheme changes nothing else, and a width all but these, see styles.test.ts. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES = {
  all: {},
  colours: { runOnly: COLOURS },
  /** On what was not there to be read when all colours were looked at. */
  coloursOfNew: { runOnly: COLOURS },
  others: { rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) },
};
type Rules = keyof typeof RULES;

/** As axe has it, but that no letters are so large that they need less contrast: they may be small ones in a narrow window. */
const CONTRAST = {
  ...{ ignoreUnicode: true, ignoreLength: false, ignorePseudo: false, pseudoSizeThreshold: 0.25 },
  ...{ boldValue: 700, boldTextPt: 1_000, largeTextPt: 1_000, shadowOutlineEmMax: 0.2, textStrokeEmMin: 0.03 },
  contrastRatio: { normal: { expected: 4.5 }, large: { expected: 4.5 } },
};

/** What keeps people out of a page as it stands, or of a part of it, wide and narrow, light and dark: each rule with the elements that break it. */
export async function barriers(page: Page, within = 'html'): Promise<string[]> {
  const before = page.viewportSize()!;
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found: string[] = [];
  let shown: 'light' | 'dark' = scheme;
  /** Whether there was anything to look at. */
  const look = async (colorScheme: 'light' | 'dark', rules: Rules): Promise<boolean> => {
    if (colorScheme !== shown) await page.emulateMedia({ colorScheme });
    shown = colorScheme;
    const { width } = page.viewportSize()!;
    const broken = await violations(page, within, rules);
    for (const violation of broken ?? []) found.push(`${colorScheme}, ${width} px: ${violation}`);
    return broken !== null;
  };
  await resize(page, WIDE);
  await look(scheme, 'all');
  await look(other, 'colours');
  found.push(...(await overflowAt(page, WIDE.width)));
  await resize(page, NARROW);
  await look(other, 'others');
  if (await look(other, 'coloursOfNew')) await look(scheme, 'coloursOfNew');
  found.push(...(await overflowAt(page, NARROW.width)));
  await resize(page, before);
  if (shown !== scheme) await page.emulateMedia({ colorScheme: scheme });
  return [...new Set(found)].map((barrier) => `${new URL(page.url()).pathname} ${barrier}`);
}

type Size = typeof WIDE;

/** Asked for the size that it has, a browser would draw the page anew. */
async function resize(page: Page, { width, height }: Size): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
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

/** Null where there is nothing to look at. */
async function violations(page: Page, within: string, name: Rules): Promise<string[] | null> {
  // Half a megabyte, once a page; and its value, were it given back, is all of axe.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`(() => {${axe}})()`);
  return page.evaluate(
    async ([within, name, rules, contrast]) => {
      // biome-ignore lint/suspicious/noExplicitAny: a browser's globals
      const browser = globalThis as any;
      const { axe, document } = browser;
      // What listens for another scheme hears of it before the next frame.
      await new Promise(browser.requestAnimationFrame);
      // biome-ignore lint/suspicious/noExplicitAny: an element
      const read = [...document.querySelectorAll(`${within} *`)].filter((element: any) => {
        const texts = [...element.childNodes].filter(({ nodeType, data }) => nodeType === 3 && data.trim());
        return (texts.length > 0 || element.matches('input, select, textarea')) && element.checkVisibility();
      });
      const isOfNew = name === 'coloursOfNew';
      const part = isOfNew ? read.filter((element) => !browser.read.has(element)) : [within];
      if (part.length === 0) return null;
      if (name === 'colours') browser.read = new Set(read);
      axe.configure({ checks: [{ id: 'color-contrast', options: contrast }] });
      const { violations: all } = await axe.run(
        { include: part },
        { resultTypes: ['violations'], preload: false, ...rules },
      );
      return all.flatMap(({ id, nodes }: { id: string; nodes: { html: string; target: string[] }[] }) =>
        nodes.map(({ html, target }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`),
      );
    },
    [within, name, RULES[name], CONTRAST] as const,
  );
}
