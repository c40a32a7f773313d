import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings.ts';
import { bundleSite } from '../../../infra/site/files.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { httpEvent } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const JWT = { managementAuth: 'jwt', jwtIssuer: 'https://login.example.com/', jwtAudience: 'ads' };

test('the function serves its files without a key, and allows requests to the sign-in provider', async () => {
  const { signIn } = readSettings({ stage: 'dev', ...JWT, jwtClientId: 'desk' }, 'test/infra/stages')[0]!;
  const outdir = await bundleSite(signIn, mkdtempSync(join(tmpdir(), 'site-')));
  try {
    const { handler } = await import(`${outdir}/index.mjs`);
    const get = (path: string, headers = {}) => handler(httpEvent('GET', path, { headers }).event);
    expect(await get('/')).toMatchObject({ statusCode: 200 });
    expect(await get('/docs')).toMatchObject({ statusCode: 200 });
    expect(await get('/docs/why-no-ad')).toMatchObject({ statusCode: 200 });
    expect(await get('/llms.txt')).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    for (const path of ['/docs/README.md', '/docs/why-no-ad.md', '/packages/client/README.md'])
      expect(await get(path)).toMatchObject({
        statusCode: 200,
        headers: { 'content-type': 'text/markdown; charset=utf-8' },
      });
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
    const {
      status: statusCode,
      headers: expectedHeaders,
      body: expectedBody,
    } = await service.call('GET', '/nothing-here');
    for (const path of ['/assets/none.js', '/nothing-here']) {
      const { headers, body, ...answer } = await get(path);
      expect({ ...answer, ...JSON.parse(body) }).toEqual({ statusCode, ...expectedBody });
      expect(Object.keys(headers).sort()).toEqual(Object.keys(expectedHeaders).sort());
    }
    const person = await get('/nothing-here', { accept: 'text/html,*/*;q=0.8' });
    expect([person.statusCode, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
