import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings.ts';
import { bundleSite } from '../../../infra/site/bundle.ts';
import { httpEvent } from '../../harness.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { find, resourcesOf, templateOf } from '../template.ts';

const service = useServiceInMemory();
const JWT = { managementAuth: 'jwt', jwtIssuer: 'https://login.example.com/', jwtAudience: 'ads' };

const routesOf = (context: Record<string, string>) =>
  resourcesOf(templateOf(context), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);

test('the page is deployed only when asked for, and then answers whatever no operation does', () => {
  const [without, withSite] = [routesOf({}), routesOf({ site: 'true' })];
  expect(withSite.filter((route) => !without.includes(route)).sort()).toEqual([
    'GET /',
    'GET /api/{proxy+}',
    'GET /{proxy+}',
  ]);
  expect(without.filter((route) => !withSite.includes(route))).toEqual([]);
});

test('what is asked of the API is answered as it is without the page', () => {
  const template = templateOf({ site: 'true' });
  const targetOf = (key: string) => find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', key).Properties.Target;
  const functionOf = (key: string) => {
    const integration = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').find(({ id }) =>
      JSON.stringify(targetOf(key)).includes(`"${id}"`),
    )!;
    return JSON.stringify(integration.Properties.IntegrationUri);
  };
  expect(functionOf('GET /api/{proxy+}')).toBe(functionOf('$default'));
  expect(functionOf('GET /{proxy+}')).toBe(functionOf('GET /'));
  expect(functionOf('GET /{proxy+}')).not.toBe(functionOf('$default'));
});

test('its function answers the files that lie beside it, with nobody’s key, and may ask where people sign in', async () => {
  const { signIn } = readSettings({ ...JWT, jwtClientId: 'desk' })[0]!;
  const outdir = await bundleSite(signIn, mkdtempSync(join(tmpdir(), 'site-')));
  try {
    const { handler } = await import(`${outdir}/index.mjs`);
    const get = (path: string, headers = {}) => handler(httpEvent('GET', path, { headers }).event);
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
    const { status: statusCode, headers: told, body: says } = await service.call('GET', '/nothing-here');
    for (const path of ['/assets/none.js', '/nothing-here']) {
      const { headers, body, ...answer } = await get(path);
      expect({ ...answer, ...JSON.parse(body) }).toEqual({ statusCode, ...says });
      expect(Object.keys(headers).sort()).toEqual(Object.keys(told).sort());
    }
    const person = await get('/nothing-here', { accept: 'text/html,*/*;q=0.8' });
    expect([person.statusCode, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
