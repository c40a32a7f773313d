import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A page of the longest form has fewer stops. */
const MOST_STOPS = 80;

/** A page that is used by its keys alone; where the focus is not to be seen on the way, the test fails. */
export function keyboardOf(page: Page) {
  /** The focus is on something, in the window, with a line around it. */
  async function isSeen(): Promise<void> {
    const unseen = await page.evaluate<string | null>(`(() => {
      const element = document.activeElement;
      if (element === document.body) return 'nothing has the focus';
      const { outlineStyle } = getComputedStyle(element);
      const { top, bottom } = element.getBoundingClientRect();
      if (outlineStyle === 'none') return 'no line around ' + element.outerHTML.slice(0, 200);
      return bottom > 0 && top < innerHeight ? null : 'outside of the window: ' + element.outerHTML.slice(0, 200);
    })()`);
    expect(unseen).toBeNull();
  }

  const has = (target: Locator) =>
    target.evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'));

  return {
    isSeen,
    has,
    /** Goes on, or back with Shift+Tab, to a target. */
    async to(target: Locator, key = 'Tab'): Promise<void> {
      await target.waitFor();
      for (let stops = 0; !(await has(target)); stops++) {
        expect(stops).toBeLessThan(MOST_STOPS);
        await page.keyboard.press(key);
        await isSeen();
      }
    },
    press: (key: string) => page.keyboard.press(key),
    /** What is typed takes the place of what was there. */
    async type(text: string): Promise<void> {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
  };
}
