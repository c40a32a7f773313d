import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';

const FOLDER = `${import.meta.dirname}/../../docs`;

interface DocumentGroup {
  heading: string;
  documents: { name: string; title: string }[];
}

/** The groups of the navigation: the headings and lists of docs/README.md, which is the index on GitHub. */
function readGroups(index: string): DocumentGroup[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.split('\n')[0]!,
      documents: [...section.matchAll(/^- \[(.+)\]\(([\w-]+)\.md\)/gm)].map(([, title = '', name = '']) => ({
        title,
        name,
      })),
    }));
}

/** The bar above every page. Must match the bar that the page's script draws. */
const TOP = `<a class="skip" href="#main">Skip to the page</a>
    <header class="top">
      <a class="brand" href="/campaigns"><span class="mark" aria-hidden="true"></span>Conversation Ads</a>
      <nav aria-label="Sections"><a href="/campaigns">Campaigns</a> <a href="/webhooks">Webhooks</a> <a href="/publisher">Publisher</a> <a href="/chat">Chat</a> <a href="/docs" aria-current="page">Docs</a></nav>
    </header>`;

/** The navigation between documents, as HTML. `API` is the readable OpenAPI document. */
function menu(groups: readonly DocumentGroup[], current?: string): string {
  const link = (address: string, title: string, isCurrent: boolean) =>
    `<a href="${address}"${isCurrent ? ' aria-current="page"' : ''}>${title}</a>`;
  const lists = groups.map(({ heading, documents }) => {
    const links = documents.map(({ name, title }) => link(`/docs/${name}`, title, name === current));
    return `<div class="group"><h2>${heading}</h2> ${links.join(' ')}</div>`;
  });
  return `<nav class="documents" aria-label="Documents">${link('/docs', 'API', !current)}\n${lists.join('\n')}</nav>`;
}

const page = (title: string, links: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Conversation Ads</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/documents.css" />
  </head>
  <body>
    ${TOP}
    <div class="page">
      ${links}
      <main id="main">
${content}
      </main>
    </div>
  </body>
</html>
`;

/** The fragment of a heading, as GitHub builds it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The address of a link's target on the site; undefined for a file of the repository, which the site does not serve. */
function toAddress(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return undefined;
  return name === 'README' ? '/docs' : `/docs/${name}${fragment}`;
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const [address, text] = [toAddress(href), this.parser.parseInline(tokens)];
      return address === undefined ? text : `<a href="${address}">${text}</a>`;
    },
    image: ({ href, text }) => `<img src="/assets/${href}" alt="${text}" />`,
    // Code and tables can be wider than a phone; tabindex makes them scrollable with the keyboard.
    code: ({ text }) =>
      `<pre tabindex="0"><code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>\n`,
    table(token) {
      const rows = [token.header, ...token.rows].map(
        (cells, row) =>
          `<tr>${cells.map(({ tokens }) => (row === 0 ? `<th>${this.parser.parseInline(tokens)}</th>` : `<td>${this.parser.parseInline(tokens)}</td>`)).join('')}</tr>`,
      );
      return `<div class="table" tabindex="0"><table>${rows.join('\n')}</table></div>\n`;
    },
  },
});

/** Renders the documents as pages of the site (`docs/publisher.html`), and the navigation above the readable API. */
export async function renderDocuments(): Promise<{ pages: [path: string, content: Buffer][]; above: string }> {
  const groups = readGroups(await readFile(`${FOLDER}/README.md`, 'utf8'));
  const names = groups.flatMap(({ documents }) => documents.map(({ name }) => name));
  const pages = names.map(async (name): Promise<[string, Buffer]> => {
    const text = await readFile(`${FOLDER}/${name}.md`, 'utf8');
    const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
    const content = markdown.parse(text, { async: false });
    return [`docs/${name}.html`, Buffer.from(page(title, menu(groups, name), content))];
  });
  return { pages: await Promise.all(pages), above: TOP + menu(groups) };
}
