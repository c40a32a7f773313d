import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { barriers, overflows } from './barriers.ts';

/** Of the operations and schemas one of each look stays: the others cost axe as much and tell nothing new. */
const ONE_OF_A_KIND = `{
  const looks = new Set();
  for (const operation of document.querySelectorAll('.opblock, article.json-schema-2020-12')) {
    if (looks.has(operation.className)) operation.remove();
    looks.add(operation.className);
  }
}`;

/** Of an open operation's responses and their headers two of each look stay. */
const TWO_OF_A_KIND = `
for (const part of document.querySelectorAll('.response, .response tr')) {
  const alike = [...part.parentElement.children].filter(({ className }) => className === part.className);
  if (alike.indexOf(part) > 1) part.remove();
}`;

/** What keeps people out of the viewer of the API once it is used: an operation of each look open, half of them to be tried, and then the credentials. */
export async function barriersOfViewer(page: Page): Promise<string[]> {
  await page.evaluate(ONE_OF_A_KIND);
  const operations = await page.locator('.opblock-summary-control').all();
  for (const operation of operations) await operation.click();
  const { length } = operations;
  expect(length).toBeGreaterThan(4);
  await expect.poll(() => page.locator('.opblock-body .responses-table').count()).toBe(length);
  for (const button of (await page.locator('.try-out__btn').all()).slice(0, length / 2)) await button.click();
  await page.getByRole('textbox', { name: 'Request body' }).waitFor();
  const found = await overflows(page);
  await page.evaluate(TWO_OF_A_KIND);
  found.push(...(await barriers(page)));
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  // What lies behind it is dimmed, and was looked at before.
  return [...found, ...(await barriers(page, '.dialog-ux'))];
}
