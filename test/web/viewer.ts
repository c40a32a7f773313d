import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { barriers } from './barriers.ts';

/** Keeps one schema: the others look the same, and checking them would only take longer. */
const ONE_SCHEMA = `for (const schema of [...document.querySelectorAll('article.json-schema-2020-12')].slice(1)) schema.remove()`;

/** In one step, so that the viewer processes its document only once. */
const clickEach = (selector: string, most = Infinity) =>
  `[...document.querySelectorAll('${selector}')].slice(0, ${most}).forEach((control) => control.click())`;

interface Operation {
  tags: string[];
  deprecated?: boolean;
  responses: Record<string, { headers?: Record<string, unknown> }>;
}
/** A path's operations by method. */
type Path = Record<string, Operation>;
type Components = Record<string, Record<string, unknown>>;
interface Document {
  tags: { name: string }[];
  paths: Record<string, Path>;
  webhooks: Record<string, Path>;
  components: Components;
}
const REFERENCE = /"#\/components\/(\w+)\/([\w-]+)"/g;

/** The references of a part of the document, including indirect ones. */
function referred(part: unknown, components: Components, found: Components = {}): Components {
  for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
    if (found[kind]?.[name]) continue;
    found[kind] = { ...found[kind], [name]: components[kind]![name] };
    referred(components[kind]![name], components, found);
  }
  return found;
}

const firstTwo = <T>(all: Record<string, T> = {}): [string, T][] => Object.entries(all).slice(0, 2);

/** Keeps two responses of an operation and two headers of each: the others look the same. */
const withTwoOfAKind = (operation: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    firstTwo(operation.responses).map(([status, response]) => [
      status,
      { ...response, headers: Object.fromEntries(firstTwo(response.headers)) },
    ]),
  ),
});

/** Open operations show examples. Only the first schema in the list is checked; the others only need to exist. */
const firstInFull = (schemas: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema], at) => [name, at === 0 ? schema : {}]));

/** Reduces the document to one operation of each appearance, because the viewer processes the whole document whenever one is opened. */
function shortened(document: Document): Document {
  const order = document.tags.map(({ name }) => name);
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)]
    .flatMap((path) => Object.entries(path).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => order.indexOf(a.operation.tags[0]!) - order.indexOf(b.operation.tags[0]!));
  const webhooks = new Set(Object.values(document.webhooks));
  const looks = new Set<string>();
  for (const { path, method, operation } of operations) {
    const look = webhooks.has(path) ? 'webhook' : operation.deprecated ? 'deprecated' : method;
    if (looks.has(look)) delete path[method];
    else path[method] = withTwoOfAKind(operation);
    looks.add(look);
  }
  const { paths, webhooks: told, components } = document;
  const { securitySchemes = {} } = components;
  const found = referred([paths, told], components);
  return { ...document, components: { ...found, schemas: firstInFull(found.schemas), securitySchemes } };
}

/** Serves the viewer a smaller document. */
export const shortenDocument = (page: Page): Promise<unknown> =>
  page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: shortened(await response.json()) });
  });

/** Finds accessibility violations of the API viewer in use: first the credentials, then one open operation of each appearance, half of them in try-out mode. */
export async function barriersOfViewer(page: Page): Promise<string[]> {
  await page.evaluate(ONE_SCHEMA);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  // The content behind the dialog is dimmed, and is checked afterward.
  const found = await barriers(page, '.dialog-ux');
  await page.locator('.close-modal').click();
  const length = await page.locator('.opblock-tag-section .opblock').count();
  expect(length).toBeGreaterThan(4);
  await page.evaluate(clickEach('.opblock-tag-section .opblock-summary-control'));
  await expect.poll(() => page.locator('.opblock-body .responses-table').count()).toBe(length);
  await page.evaluate(clickEach('.try-out__btn', length / 2));
  await page.getByRole('textbox', { name: 'Request body' }).waitFor();
  return [...found, ...(await barriers(page))];
}
