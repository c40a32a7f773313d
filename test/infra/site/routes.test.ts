import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings.ts';
import { bundleSite } from '../../../infra/site/bundle.ts';
import { httpEvent } from '../../harness.ts';
import { resourcesOf, templateOf } from '../template.ts';

const JWT = { managementAuth: 'jwt', jwtIssuer: 'https://login.example.com/', jwtAudience: 'ads' };

const routesOf = (context: Record<string, string>) =>
  resourcesOf(templateOf(context), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);

test('the page is deployed only when asked for', () => {
  const [without, withSite] = [routesOf({}), routesOf({ site: 'true' })];
  expect(withSite.filter((route) => !without.includes(route)).sort()).toEqual([
    'GET /',
    'GET /assets/{file}',
    'GET /campaigns',
    'GET /campaigns/{id}',
    'GET /campaigns/{id}/edit',
    'GET /chat',
    'GET /docs',
    'GET /docs/{document}',
    'GET /publisher',
    'GET /publisher/{id}',
    'GET /signed-in',
    'GET /webhooks',
    'GET /webhooks/{id}',
  ]);
});

test('its function answers the files that lie beside it, with nobody’s key, and may ask where people sign in', async () => {
  const { signIn } = readSettings({ ...JWT, jwtClientId: 'desk' })[0]!;
  const outdir = await bundleSite(signIn, mkdtempSync(join(tmpdir(), 'site-')));
  try {
    const { handler } = await import(`${outdir}/index.mjs`);
    const get = (path: string) => handler(httpEvent('GET', path).event);
    expect(await get('/')).toMatchObject({ statusCode: 200 });
    expect(await get('/docs')).toMatchObject({ statusCode: 200 });
    expect(await get('/docs/why-no-ad')).toMatchObject({ statusCode: 200 });
    const settings = JSON.parse(Buffer.from((await get('/assets/settings.json')).body, 'base64').toString());
    expect(settings).toEqual({
      demo: null,
      signIn: {
        issuer: 'https://login.example.com/',
        clientId: 'desk',
        scope: 'openid',
        audience: 'ads',
        origins: ['https://login.example.com'],
      },
    });
    expect((await get('/campaigns/cmp_1')).headers['content-security-policy']).toContain(
      "connect-src 'self' https://login.example.com;",
    );
    expect(await get('/assets/none.js')).toMatchObject({ statusCode: 404 });
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
