import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleSite } from '../../../infra/site/bundle.ts';
import { httpEvent } from '../../harness.ts';
import { resourcesOf, templateOf } from '../template.ts';

const routesOf = (context: Record<string, string>) =>
  resourcesOf(templateOf(context), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);

test('the page is deployed only when asked for', () => {
  const [without, withSite] = [routesOf({}), routesOf({ site: 'true' })];
  expect(withSite.filter((route) => !without.includes(route)).sort()).toEqual([
    'GET /',
    'GET /assets/{file}',
    'GET /docs',
    'GET /docs/{document}',
  ]);
});

test('its function answers the files that lie beside it, and begins with nobody’s key', async () => {
  const outdir = await bundleSite(mkdtempSync(join(tmpdir(), 'site-')));
  try {
    const { handler } = await import(`${outdir}/index.mjs`);
    const get = (path: string) => handler(httpEvent('GET', path).event);
    expect(await get('/')).toMatchObject({ statusCode: 200 });
    expect(await get('/docs')).toMatchObject({ statusCode: 200 });
    expect(await get('/docs/why-no-ad')).toMatchObject({ statusCode: 200 });
    expect(Buffer.from((await get('/assets/demo.json')).body, 'base64').toString()).toBe('null');
    expect(await get('/assets/none.js')).toMatchObject({ statusCode: 404 });
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
