import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { Marked, type Token } from 'marked';
import { LOCAL_ADDRESS } from '../../shared/platform/values/site-settings.ts';

for (const [name, language] of Object.entries({ bash, http, json, python, typescript, xml }))
  hljs.registerLanguage(name, language);
hljs.registerAliases(['js', 'jsx'], { languageName: 'typescript' });

/** A part of a document: from a heading of the first three levels to the next. */
export interface Section {
  depth: number;
  id: string;
  /** The heading as HTML without links. */
  heading: string;
  html: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Those above, and how the libraries write an apostrophe. */
const CHARACTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([character, entity]) => [entity, character])),
  ...{ '&#39;': "'", '&#x27;': "'" },
};

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** The text of HTML that this module has rendered. */
export const toText = (html: string): string =>
  html
    .replace(/<\/?(?:p|pre|div|h\d|[ou]l|li|tr|t[dh])\b[^>]*>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/&#?\w+;/g, (entity) => CHARACTERS[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/** The fragment of a heading, as GitHub builds it. */
const toSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The address of a link's target on the site; undefined for a file of the repository, for which the site has no page. */
function toAddress(href: string): string | undefined {
  const ours = href.replace(/^http:\/\/localhost:3000(?=\/|$)/, '');
  if (ours !== href) return ours || '/';
  if (/^(https?:|#)/.test(href)) return href;
  const [, module] = /^\.\.\/packages\/python\/(\w+\.py)$/.exec(href) ?? [];
  if (module) return `/assets/${module}`;
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return undefined;
  return name === 'README' ? '/docs' : `/docs/${name}${fragment}`;
}

/** Creates a renderer for one document. `onHeading` receives the headings in order. */
function createRenderer(onHeading: (heading: Omit<Section, 'html'>) => void): Marked {
  const slugs = new Map<string, number>();
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = toSlug(text);
        const count = slugs.get(slug) ?? 0;
        slugs.set(slug, count + 1);
        const id = count === 0 ? slug : `${slug}-${count}`;
        const heading = this.parser.parseInline(tokens);
        if (depth <= 3) onHeading({ depth, id, heading });
        return `<h${depth} id="${id}">${depth === 1 ? heading : `<a href="#${id}">${heading}</a>`}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const [address, text] = [toAddress(href), this.parser.parseInline(tokens)];
        return address === undefined ? text : `<a href="${address}">${text}</a>`;
      },
      image: ({ href, text }) => `<img src="/assets/${href}" alt="${text}" />`,
      // Code breaks only where a reader sees that it continues.
      codespan: ({ text }) =>
        `<code>${text
          .split(/(?<=\s)|(?<=[^\s/.][/.])(?=[^\s/.])/)
          .map(escapeHtml)
          .join('<wbr>')}</code>`,
      // Code and tables can be wider than a phone; tabindex makes them scrollable with the keyboard.
      code({ text, lang }) {
        const html = lang && hljs.getLanguage(lang) ? hljs.highlight(text, { language: lang }).value : escapeHtml(text);
        return `<div class="code"><pre tabindex="0"><code>${html}</code></pre></div>\n`;
      },
      table(token) {
        const rows = [token.header, ...token.rows].map((cells, row) => {
          const tag = row === 0 ? 'th' : 'td';
          return `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        });
        return `<div class="table" tabindex="0"><table>${rows.join('\n')}</table></div>\n`;
      },
    },
  });
}

/** Renders a document, which begins with its title, in sections. */
export function renderSections(text: string): Section[] {
  let latest: Omit<Section, 'html'> = { depth: 1, id: '', heading: '' };
  const markdown = createRenderer((heading) => {
    latest = heading;
  });
  const parts: Token[][] = [];
  for (const token of markdown.lexer(text)) {
    if (parts.length === 0 || (token.type === 'heading' && token.depth <= 3)) parts.push([]);
    parts.at(-1)!.push(token);
  }
  return parts.map((tokens) => {
    const html = markdown.parser(tokens).replace(LOCAL_ADDRESS, '<span class="origin">$&</span>');
    return { ...latest, html };
  });
}
