import { expect, test } from 'vitest';
import { demoCampaigns } from '../../../infra/local/demo-campaigns.ts';
import { siteFiles } from '../../../infra/site/files.ts';
import { createSite } from '../../../infra/site/serve.ts';

test('every ad of the demo has a picture of its own, which the site itself serves', async () => {
  const site = createSite(await siteFiles({ demo: null, signIn: null }));
  const pictures = demoCampaigns('/assets').map(({ creative }) => creative!.imageUrl!);
  expect(new Set(pictures).size).toBe(pictures.length);
  for (const path of pictures) {
    const answer = site({ path, header: () => undefined });
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/svg+xml' } });
  }
});

test('the first page is of three scripts at most, whatever parts it shares with those that are loaded later', async () => {
  const files = await siteFiles({ demo: null, signIn: null });
  const asked = new Set<string>();
  const ask = (name: string) => {
    if (asked.has(name)) return;
    asked.add(name);
    for (const [, next] of String(files.get(`assets/${name}`)).matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      ask(next!);
  };
  ask('app.js');
  expect(asked.size).toBeGreaterThan(1);
  expect(asked.size).toBeLessThanOrEqual(3);
});

test('a browser that asks for /favicon.ico gets the icon that the pages name', async () => {
  const site = createSite(await siteFiles({ demo: null, signIn: null }));
  const get = (path: string) => site({ path, header: () => undefined });
  expect(get('/favicon.ico')).toEqual(get('/assets/icon.svg'));
  expect(get('/favicon.ico')).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/svg+xml' } });
});
