import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { siteFiles } from '../../../infra/site/files.ts';
import { createSite } from '../../../infra/site/serve.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
let server: Server;
let address: string;

beforeAll(async () => {
  server = createGateway(service.stack.apps, createSite(await siteFiles({ demo: null, signIn: null })));
  address = `http://localhost:${await listen(server, 0)}`;
});
afterAll(() => server.close());

const get = async (path: string, headers = {}) => {
  const response = await fetch(`${address}${path}`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), response, text: await response.text() };
};

/** The targets of links and images outside of code. */
const targetsIn = (markdown: string) =>
  [...markdown.replaceAll(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

const DOCUMENTS = readdirSync('docs').filter((file) => file.endsWith('.md'));

describe('/llms.txt', () => {
  it('has a title, a summary, and lists of links with descriptions', async () => {
    const { status, type, text } = await get('/llms.txt');
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    const [head = '', ...sections] = text.split(/^## /m);
    expect(head).toMatch(/^# Conversation Ads\n\n> A contextual ad service .+\n\n[^#]+$/);
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'Start',
      'Guides',
      'Reference',
      'Packages',
      'Optional',
    ]);
    for (const section of sections) expect(section).toMatch(/^\w+\n\n(- \[[^\]]+\]\(\/\S+\): \S.+\n)+\n?$/);
  });

  it('lists every document, the OpenAPI document, and the packages, which the service serves', async () => {
    const targets = targetsIn((await get('/llms.txt')).text);
    const documents = DOCUMENTS.filter((file) => file !== 'README.md').map((file) => `/docs/${file}`);
    expect(targets.filter((target) => target.startsWith('/docs/')).sort()).toEqual(documents.sort());
    expect(targets).toEqual(
      expect.arrayContaining([
        '/api/v1/openapi.json',
        '/packages/client/README.md',
        '/packages/ai/README.md',
        '/assets/conversation_ads.py',
      ]),
    );
    for (const target of targets) expect((await get(target)).status, target).toBe(200);
  });
});

describe('The documents as Markdown', () => {
  it.each(DOCUMENTS)('are served at /docs/%s, with links that work there', async (file) => {
    const { status, type, text } = await get(`/docs/${file}`);
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text.split('\n')[0]).toBe(readFileSync(`docs/${file}`, 'utf8').split('\n')[0]);
    for (const target of targetsIn(text)) {
      const { origin, pathname } = new URL(target, `${address}/docs/${file}`);
      if (origin === address) expect((await get(pathname)).status, target).toBe(200);
    }
  });

  it('differ from the files only in links to files that the service does not serve, and in images', async () => {
    const changed = await Promise.all(
      DOCUMENTS.map(async (file) => {
        const written = readFileSync(`docs/${file}`, 'utf8').split('\n');
        const { text } = await get(`/docs/${file}`);
        return text.split('\n').filter((line, at) => line !== written[at]);
      }),
    );
    expect(changed.flat().filter((line) => !/\/assets\/\w+\.(svg|py)|prod\.json/.test(line))).toEqual([]);
  });

  it('include the READMEs that they link to', async () => {
    for (const path of ['/infra/README.md', '/packages/ai/README.md'])
      expect((await get(path)).type).toBe('text/markdown; charset=utf-8');
  });

  it('are sent once to a client that keeps them', async () => {
    const { response } = await get('/docs/publisher.md');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/docs/publisher.md', { 'if-none-match': response.headers.get('etag') });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('are named by the pages that show them', async () => {
    const pages = ['', ...DOCUMENTS.filter((file) => file !== 'README.md').map((file) => `/${file.slice(0, -3)}`)];
    for (const page of pages) {
      const { text } = await get(`/docs${page}`);
      expect(text).toContain(`<link rel="alternate" type="text/markdown" href="/docs${page || '/README'}.md" />`);
    }
    expect((await get('/docs/reference')).text).not.toContain('text/markdown');
  });

  it('have no other address', async () => {
    for (const path of ['/README.md', '/docs/none.md', '/docs/../README.md', '/packages/ai/package.json', '/llms.txt/'])
      expect((await get(path)).status, path).toBe(404);
  });
});
