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

interface Operation {
  tags: string[];
  summary: string;
  deprecated?: boolean;
}
/** Operations by their methods. */
type Path = Record<string, Operation>;
type Components = Record<string, Record<string, unknown>>;
interface Document {
  tags: { name: string }[];
  paths: Record<string, Path>;
  webhooks: Record<string, Path>;
  components: Components;
}
const REFERENCE = /"#\/components\/(\w+)\/([\w-]+)"/g;

/** What a part of a document refers to, and what that does. */
function referred(part: unknown, components: Components, found: Components = {}): Components {
  for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
    if (found[kind]?.[name]) continue;
    found[kind] = { ...found[kind], [name]: components[kind]![name] };
    referred(components[kind]![name], components, found);
  }
  return found;
}

/**
 * The document with all of its operations, of which the first of each look alone is told in full: the viewer goes through the
 * whole document whenever one is opened.
 */
function shortened(document: Document): Document {
  const order = document.tags.map(({ name }) => name);
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)]
    .flatMap((path) => Object.entries(path).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => order.indexOf(a.operation.tags[0]!) - order.indexOf(b.operation.tags[0]!));
  const looks = new Set<string>();
  for (const { path, method, operation } of operations) {
    const { tags, summary, deprecated } = operation;
    const look = deprecated ? 'deprecated' : method;
    if (looks.has(look)) path[method] = { tags, summary, deprecated };
    looks.add(look);
  }
  const { securitySchemes = {} } = document.components;
  return {
    ...document,
    components: {
      ...referred(
        operations.map(({ path, method }) => path[method]),
        document.components,
      ),
      securitySchemes,
    },
  };
}

/** Has the viewer read a document that costs it less. */
export const shortenDocument = (page: Page): Promise<unknown> =>
  page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: shortened(await response.json()) });
  });

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
