import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';

const FOLDER = `${import.meta.dirname}/../../docs`;

/** The documents, in the order in which newcomers ask for them. */
const DOCUMENTS = [
  'publisher',
  'advertiser',
  'operator',
  'edge',
  'concepts',
  'events',
  'errors',
  'why-no-ad',
  'openrtb',
  'trusted-match',
  'privacy',
  'migration',
  'security',
  'operations',
  'scale',
  'api',
  'glossary',
  'matching',
  'benchmarks',
  'architecture',
  'development',
] as const;

type DocumentName = (typeof DOCUMENTS)[number];

/** The bar above every page, as the page's own script draws it too. */
const TOP = `<a class="skip" href="#main">Skip to the page</a>
    <header class="top">
      <a class="brand" href="/campaigns"><span class="mark" aria-hidden="true"></span>Ads for conversations</a>
      <nav aria-label="Sections"><a href="/campaigns">Campaigns</a> <a href="/webhooks">Webhooks</a> <a href="/publisher">Publisher</a> <a href="/chat">Chat</a> <a href="/docs" aria-current="page">Docs</a></nav>
    </header>`;

/** Links to the documents, as a list of HTML; `API` is the readable OpenAPI document. */
function menu(titles: readonly string[], current?: DocumentName): string {
  const link = (address: string, title: string, isCurrent: boolean) =>
    `<a href="${address}"${isCurrent ? ' aria-current="page"' : ''}>${title}</a>`;
  const documents = DOCUMENTS.map((name, at) => link(`/docs/${name}`, titles[at]!, name === current));
  return `<nav class="documents" aria-label="Documents">${[link('/docs', 'API', !current), ...documents].join(' ')}</nav>`;
}

const page = (title: string, links: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Ads for conversations</title>
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
    // Code and tables may be wider than a phone; what scrolls is scrolled by the keyboard too.
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

/** The documents as pages of the site, `docs/publisher.html`; and what stands above the readable API. */
export async function renderDocuments(): Promise<{ pages: [path: string, content: Buffer][]; above: string }> {
  const texts = await Promise.all(DOCUMENTS.map((name) => readFile(`${FOLDER}/${name}.md`, 'utf8')));
  const titles = texts.map((text) => /^# (.+)$/m.exec(text)![1]!);
  const pages = DOCUMENTS.map((name, at): [string, Buffer] => {
    const content = markdown.parse(texts[at]!, { async: false });
    return [`docs/${name}.html`, Buffer.from(page(titles[at]!, menu(titles, name), content))];
  });
  return { pages, above: TOP + menu(titles) };
}
