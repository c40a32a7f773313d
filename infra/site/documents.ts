import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';

const FOLDER = `${import.meta.dirname}/../../docs`;

/** The documents, in the order in which newcomers ask for them. */
const DOCUMENTS = [
  'publisher',
  'advertiser',
  'operator',
  'concepts',
  'events',
  'errors',
  'why-no-ad',
  'openrtb',
  'migration',
  'security',
  'operations',
  'api',
  'glossary',
  'matching',
  'benchmarks',
  'architecture',
  'development',
] as const;

/** Links to the documents, as a list of HTML; `API` is the readable OpenAPI document. */
const menu = (titles: readonly string[]): string =>
  `<nav aria-label="Documents"><a href="/docs">API</a> ${DOCUMENTS.map((name, at) => `<a href="/docs/${name}">${titles[at]}</a>`).join(' ')}</nav>`;

const page = (title: string, links: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/documents.css" />
  </head>
  <body>
    <header><a href="/">Ads for conversations</a>${links}</header>
    <main>
${content}
    </main>
  </body>
</html>
`;

/** The name of a heading in an address, as GitHub makes it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Where a link of a document leads on the service; undefined for a file of the repository, which it does not serve. */
function addressOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return DOCUMENTS.some((one) => one === name) ? `/docs/${name}${fragment}` : undefined;
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const [address, text] = [addressOf(href), this.parser.parseInline(tokens)];
      return address === undefined ? text : `<a href="${address}">${text}</a>`;
    },
    image: ({ href, text }) => `<img src="/assets/${href}" alt="${text}" />`,
    // A table may be wider than a phone.
    table(token) {
      const rows = [token.header, ...token.rows].map(
        (cells, row) =>
          `<tr>${cells.map(({ tokens }) => (row === 0 ? `<th>${this.parser.parseInline(tokens)}</th>` : `<td>${this.parser.parseInline(tokens)}</td>`)).join('')}</tr>`,
      );
      return `<div class="table" tabindex="0"><table>${rows.join('\n')}</table></div>\n`;
    },
  },
});

/** The documents as pages of the site, `docs/publisher.html`, and the menu of them. */
export async function renderDocuments(): Promise<{ pages: [path: string, content: Buffer][]; links: string }> {
  const texts = await Promise.all(DOCUMENTS.map((name) => readFile(`${FOLDER}/${name}.md`, 'utf8')));
  const titles = texts.map((text) => /^# (.+)$/m.exec(text)![1]!);
  const links = menu(titles);
  const pages = DOCUMENTS.map((name, at): [string, Buffer] => {
    const content = markdown.parse(texts[at]!, { async: false });
    return [`docs/${name}.html`, Buffer.from(page(titles[at]!, links, content))];
  });
  return { pages, links };
}
