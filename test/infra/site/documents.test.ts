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
  it('are all of those in docs/', () => {
    const written = readdirSync('docs').filter((file) => file.endsWith('.md'));
    expect(DOCUMENTS.map((name) => `${name}.md`).sort()).toEqual(written.sort());
  });

  it.each(DOCUMENTS)('show %s with its headings, tables and links that lead somewhere', (name) => {
    const html = get(`/docs/${name}`)!;
    expect(html).toMatch(/<h1 id="[^"]+">/);
    expect(html).not.toMatch(/\]\(|^\|/m); // Markdown that nobody rendered
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    for (const [, address = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(address)) continue;
      const [path = '', fragment] = address.split('#');
      if (path !== '') expect(get(path), address).toBeDefined();
      else expect(ids, address).toContain(fragment);
    }
  });

  it('are named by the readable API, and by nothing else that is asked for', () => {
    expect(get('/docs')).toContain('<a href="/docs/publisher">Publisher quickstart</a>');
    for (const path of ['/docs/', '/docs/none', '/docs/publisher.html', '/docs/../index'])
      expect(get(path)).toBeUndefined();
  });
});
