import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A page of the longest form has fewer stops. */
const MAX_STOPS = 80;

/** What is wrong with where the focus is, if anything, and whether it is on a target. */
// biome-ignore lint/suspicious/noExplicitAny: an element
function lookAtFocus(target: any): { wrong: string | null; isThere: boolean } {
  const { activeElement: element, body, defaultView: window } = target.ownerDocument;
  const { top, bottom } = element.getBoundingClientRect();
  const wrong = () => {
    if (element === body) return 'nothing has the focus';
    const name = element.outerHTML.slice(0, 200);
    if (window.getComputedStyle(element).outlineStyle === 'none') return `no line around ${name}`;
    return bottom > 0 && top < window.innerHeight ? null : `outside of the window: ${name}`;
  };
  return { wrong: wrong(), isThere: target.matches(':focus') };
}

/** A page that is used by its keys alone; where the focus is not to be seen on the way, the test fails. */
export function keyboardOf(page: Page) {
  /** The focus is on something, in the window, with a line around it. Gives whether it is on a target. */
  async function isSeen(target = page.locator('body')): Promise<boolean> {
    const { wrong, isThere } = await target.evaluate(lookAtFocus);
    expect(wrong).toBeNull();
    return isThere;
  }

  const has = (target: Locator) =>
    target.evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'));

  return {
    isSeen,
    has,
    /** Goes on, or back with Shift+Tab, to a target. */
    async to(target: Locator, key = 'Tab'): Promise<void> {
      let isThere = await has(target);
      for (let stops = 0; !isThere; stops++) {
        expect(stops).toBeLessThan(MAX_STOPS);
        await page.keyboard.press(key);
        isThere = await isSeen(target);
      }
    },
    press: (key: string) => page.keyboard.press(key),
    /** What is typed takes the place of what was there: the last key by itself, what is before it at once, as where words are suggested. */
    async type(text: string): Promise<void> {
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text.slice(0, -1));
      await page.keyboard.type(text.slice(-1));
    },
  };
}
