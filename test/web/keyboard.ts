import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More tab stops than the longest form has. */
const MAX_STOPS = 80;

/** Returns a problem with the focused element, if any, and whether it is a target. */
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

/** Uses a page by keyboard only. Fails if the focus is invisible anywhere. */
export function createKeyboard(page: Page) {
  /** Checks that the focus is on an element in the window with an outline. Returns whether it is a target. */
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
    /** Moves forward, or backward with Shift+Tab, to a target. */
    async to(target: Locator, key = 'Tab'): Promise<void> {
      let isThere = await has(target);
      for (let stops = 0; !isThere; stops++) {
        expect(stops).toBeLessThan(MAX_STOPS);
        await page.keyboard.press(key);
        isThere = await isSeen(target);
      }
    },
    press: (key: string) => page.keyboard.press(key),
    /** Replaces the field's value. Inserts all but the last character at once, like autocomplete, and types the last one. */
    async type(text: string): Promise<void> {
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text.slice(0, -1));
      await page.keyboard.type(text.slice(-1));
    },
  };
}
