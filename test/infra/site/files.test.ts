import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoCampaigns } from '../../../infra/local/demo-campaigns.ts';
import { siteFiles } from '../../../infra/site/files.ts';
import { createSite } from '../../../infra/site/serve.ts';

test('the site serves a separate image for every ad of the demo', async () => {
  const site = createSite(await siteFiles({ demo: null, signIn: null }));
  const pictures = demoCampaigns('/assets').map(({ creative }) => creative!.imageUrl!);
  expect(new Set(pictures).size).toBe(pictures.length);
  for (const path of pictures) {
    const answer = site({ path, header: () => undefined });
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/svg+xml' } });
  }
});

test('the first page loads at most three scripts', async () => {
  const files = await siteFiles({ demo: null, signIn: null });
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const [, next] of String(files.get(`assets/${name}`)).matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      load(next!);
  };
  load('app.js');
  expect(loaded.size).toBeGreaterThan(1);
  expect(loaded.size).toBeLessThanOrEqual(3);
});

test('/favicon.ico returns the icon that the pages name', async () => {
  const site = createSite(await siteFiles({ demo: null, signIn: null }));
  const get = (path: string) => site({ path, header: () => undefined });
  expect(get('/favicon.ico')).toEqual(get('/assets/icon.svg'));
  expect(get('/favicon.ico')).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/svg+xml' } });
});

test('the site serves the Python module that docs/python.md downloads', async () => {
  const site = createSite(await siteFiles({ demo: null, signIn: null }));
  const { statusCode, headers, body } = site({ path: '/assets/conversation_ads.py', header: () => undefined })!;
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/x-python; charset=utf-8']);
  expect(Buffer.from(body, 'base64')).toEqual(readFileSync('packages/python/conversation_ads.py'));
  expect(readFileSync('docs/python.md', 'utf8')).toContain(
    'curl -O http://localhost:3000/assets/conversation_ads.py\n',
  );
});
