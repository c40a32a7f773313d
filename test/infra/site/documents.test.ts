import { readdirSync, readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { siteFiles } from '../../../infra/site/files.ts';
import { createSite } from '../../../infra/site/serve.ts';

const VIEWER = 'reference';
const files = await siteFiles({ demo: null, signIn: null });
const PAGES = [...files.keys()].flatMap((path) => /^docs\/(.+)\.html$/.exec(path)?.[1] ?? []);
const DOCUMENTS = PAGES.filter((name) => name !== VIEWER);
const site = createSite(files);
const get = (path: string) => {
  const answer = site({ path, header: () => undefined });
  return answer && Buffer.from(answer.body, 'base64').toString();
};
const idsOf = (html = '') => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe('The documents at /docs', () => {
  it('include every file of docs/ that the index lists, and the index lists them all', () => {
    const written = readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'README.md');
    expect(DOCUMENTS.map((name) => `${name}.md`).sort()).toEqual(written.sort());
  });

  it('have an index in four groups, with the titles of the pages and what each is for', () => {
    const html = get('/docs')!;
    expect([...html.matchAll(/<h2 id="\w+">(\w+)<\/h2>/g)].map(([, heading]) => heading)).toEqual([
      'Start',
      'Guides',
      'Reference',
      'Internals',
    ]);
    expect(html).toContain('<a href="/docs/events">Events</a><p>Receive webhooks and verify them</p>');
    expect(html).toContain('<a href="/docs/reference">API reference</a>');
    for (const name of DOCUMENTS) {
      const [, title] = /<h1 id="[^"]+">(.+)<\/h1>/.exec(get(`/docs/${name}`)!) ?? [];
      expect(html).toContain(`<a href="/docs/${name}">${title}</a>`);
    }
  });

  it.each(PAGES)('show %s in the navigation between all documents', (name) => {
    const html = get(`/docs/${name}`)!;
    const [, menu = ''] = /<nav class="documents" aria-label="Documents">(.+?)<\/nav>/s.exec(html) ?? [];
    for (const other of PAGES)
      expect(menu).toContain(`<a href="/docs/${other}"${other === name ? ' aria-current="page"' : ''}>`);
  });

  it('lead from the first to the last with Previous and Next', () => {
    const visited: string[] = [];
    for (let at: string | undefined = 'publisher'; at; ) {
      visited.push(at);
      const html: string = get(`/docs/${at}`)!;
      const next = /rel="next" href="\/docs\/([\w-]+)"/.exec(html)?.[1];
      // The API reference is as long as its operations, and has no such links.
      if (at !== VIEWER) expect(/rel="prev" href="\/docs\/([\w-]+)"/.exec(html)?.[1]).toBe(visited.at(-2));
      at = at === VIEWER ? 'api' : next;
    }
    expect(visited.sort()).toEqual(PAGES.sort());
  });

  it.each(DOCUMENTS)('show %s with its headings, tables, and working links', (name) => {
    const html = get(`/docs/${name}`)!;
    expect(html).toMatch(/<h1 id="[^"]+">/);
    expect(html).not.toMatch(/\]\(|^\|/m); // Markdown that was not rendered
    const ids = idsOf(html);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, address = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(address)) continue;
      const [path = '', fragment] = address.split('#');
      const target = path === '' ? html : get(path);
      expect(target, address).toBeDefined();
      if (fragment !== undefined) expect(idsOf(target), address).toContain(fragment);
    }
  });

  it.each(DOCUMENTS)('list the sections of %s, each with a link to itself', (name) => {
    const html = get(`/docs/${name}`)!;
    const sections = [...html.matchAll(/<h([23]) id="([^"]+)"><a href="#([^"]+)">/g)].map(([, depth, id, href]) => {
      expect(href).toBe(id);
      return [depth, id];
    });
    const [, contents = ''] = /<nav class="contents wide" aria-label="On this page">(.+?)<\/nav>/s.exec(html) ?? [];
    const listed = [...contents.matchAll(/<li class="depth-(\d)"><a href="#([^"]+)">/g)];
    expect(listed.map(([, depth, id]) => [depth, id])).toEqual(sections);
  });

  it.each(DOCUMENTS)('leave the address of the service in %s to the page that shows it', (name) => {
    const written = readFileSync(`docs/${name}.md`, 'utf8').match(/(?:http:\/\/)?localhost:3000/g) ?? [];
    const html = get(`/docs/${name}`)!;
    const [, main = ''] = /<main[^>]*>(.+)<\/main>/s.exec(html) ?? [];
    const marked = [...main.matchAll(/<span class="origin">(.+?)<\/span>/g)].map(([, address]) => address);
    expect(marked).toEqual(written);
    expect(html).not.toMatch(/href="http:\/\/localhost:3000/);
  });

  it('can be searched by section, by the beginnings of words and in spite of typing errors', () => {
    const { options, index } = JSON.parse(get('/assets/search.json')!);
    const search = MiniSearch.loadJS(index, options);
    const find = (query: string) => search.search(query, { prefix: true, fuzzy: 0.2, combineWith: 'AND' });
    expect(find('rotate the secr').map(({ id }) => id)).toContain('/docs/events#rotate-the-secret');
    expect(find('webhok').map(({ title }) => title)).toContain('Events');
    for (const { id } of find('the')) {
      const [path = '', fragment] = id.split('#');
      expect(get(path), id).toBeDefined();
      if (fragment) expect(idsOf(get(path)), id).toContain(fragment);
    }
    for (const { text } of find('a')) expect(text).not.toMatch(/&(quot|#\w+|lt|gt);|<\/\w+>/);
  });

  it('have no other address', () => {
    for (const path of ['/docs/', '/docs/none', '/docs/publisher.html', '/docs/../index'])
      expect(get(path)).toBeUndefined();
  });
});
