import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { siteFiles } from '../../../infra/site/files.ts';
import { createSite } from '../../../infra/site/serve.ts';

const files = await siteFiles({ demo: null, signIn: null });
const DOCUMENTS = [...files.keys()].flatMap((path) => /^docs\/(.+)\.html$/.exec(path)?.[1] ?? []);
const site = createSite(files);
const get = (path: string) => {
  const answer = site({ path, header: () => undefined });
  return answer && Buffer.from(answer.body, 'base64').toString();
};

describe('The documents at /docs', () => {
  it('include every file of docs/ that the index lists, and the index lists them all', () => {
    const written = readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'README.md');
    expect(DOCUMENTS.map((name) => `${name}.md`).sort()).toEqual(written.sort());
  });

  it('have a navigation in four groups, with the titles of the pages', () => {
    const html = get('/docs/concepts')!;
    expect([...html.matchAll(/<div class="group"><h2>(\w+)<\/h2>/g)].map(([, heading]) => heading)).toEqual([
      'Start',
      'Guides',
      'Reference',
      'Internals',
    ]);
    expect(html).toContain('<a href="/docs/concepts" aria-current="page">Concepts</a>');
    for (const name of DOCUMENTS) {
      const [, title] = /<h1 id="[^"]+">(.+)<\/h1>/.exec(get(`/docs/${name}`)!) ?? [];
      expect(html.replaceAll(' aria-current="page"', '')).toContain(`<a href="/docs/${name}">${title}</a>`);
    }
  });

  it.each(DOCUMENTS)('show %s with its headings, tables, and working links', (name) => {
    const html = get(`/docs/${name}`)!;
    expect(html).toMatch(/<h1 id="[^"]+">/);
    expect(html).not.toMatch(/\]\(|^\|/m); // Markdown that was not rendered
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    for (const [, address = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(address)) continue;
      const [path = '', fragment] = address.split('#');
      if (path !== '') expect(get(path), address).toBeDefined();
      else expect(ids, address).toContain(fragment);
    }
  });

  it('are linked from the API reference, and have no other address', () => {
    expect(get('/docs')).toContain('<a href="/docs/publisher">Publisher quickstart</a>');
    for (const path of ['/docs/', '/docs/none', '/docs/publisher.html', '/docs/../index'])
      expect(get(path)).toBeUndefined();
  });
});
