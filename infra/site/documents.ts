import { readFile } from 'node:fs/promises';
import MiniSearch from 'minisearch';
import { SECTIONS, SITE_NAME } from '../../shared/platform/values/site-settings.ts';
import { renderSections, type Section, toText } from './markdown.ts';
import { renderTexts } from './texts.ts';

const FOLDER = `${import.meta.dirname}/../../docs`;

interface Entry {
  name: string;
  title: string;
  /** What it is for, as HTML. */
  purpose: string;
}
interface Group {
  heading: string;
  entries: Entry[];
}

/** The API in Swagger UI, which only the site has. */
const VIEWER: Entry = {
  name: 'reference',
  title: 'API reference',
  purpose: 'read about every operation and its fields, and send requests',
};

/** The groups of the navigation: the headings and lists of docs/README.md, which is the index on GitHub. */
function readGroups(index: string): Group[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const heading = section.split('\n')[0]!;
      const entries = [...section.matchAll(/^- \[(.+)\]\(([\w-]+)\.md\): (.+)/gm)].map(
        ([, title = '', name = '', purpose = '']) => ({ title, name, purpose: renderPurpose(purpose) }),
      );
      return { heading, entries: heading === 'Reference' ? [VIEWER, ...entries] : entries };
    });
}

const renderPurpose = (text: string): string => renderSections(text)[0]!.html.replace(/<\/?p>|\n/g, '');

/** The bar above every page, as the page's script draws it. */
const TOP = `<header class="top"><a class="brand" href="/"><span class="mark" aria-hidden="true"></span>${SITE_NAME}</a><nav aria-label="Sections">${SECTIONS.map(([address, name]) => `<a href="${address}"${address === '/docs' ? ' aria-current="page"' : ''}>${name}</a>`).join('')}</nav></header>`;

const linkTo = ({ name, title }: Entry, current?: string): string =>
  `<a href="/docs/${name}"${name === current ? ' aria-current="page"' : ''}>${title}</a>`;

/** The navigation between documents: a column, or a menu where there is no room for it. */
function renderMenu(groups: readonly Group[], current: string): string {
  const lists = groups
    .map(
      ({ heading, entries }) =>
        `<h2>${heading}</h2><ul>${entries.map((entry) => `<li>${linkTo(entry, current)}</li>`).join('')}</ul>`,
    )
    .join('\n');
  return `<nav class="documents" aria-label="Documents">
<details class="narrow"><summary>All documents</summary>${lists}</details>
<div class="wide">${lists}</div>
</nav>`;
}

interface Page {
  title: string;
  /** Name of the same document as Markdown. */
  markdown?: string;
  content: string;
  styles?: string[];
  scripts?: string[];
}

const renderPage = ({ title, content, markdown, styles = ['documents'], scripts = [] }: Page): Buffer =>
  Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · ${SITE_NAME}</title>
    <link rel="icon" href="/assets/icon.svg" />${
      markdown ? `\n    <link rel="alternate" type="text/markdown" href="/docs/${markdown}.md" />` : ''
    }
    ${styles.map((name) => `<link rel="stylesheet" href="/assets/${name}.css" />`).join('\n    ')}
    ${scripts.map((name) => `<script src="/assets/${name}.js" defer></script>`).join('\n    ')}
    <script type="module" src="/assets/docs.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <div id="top">${TOP}</div>
${content}
  </body>
</html>
`);

/** Filled by the page's script, because it needs one. */
const SEARCH = '<div id="search"></div>';

const renderSide = (groups: readonly Group[], current: string): string =>
  `<div class="side">${SEARCH}${renderMenu(groups, current)}</div>`;

function renderDocument({ name, title }: Entry, sections: readonly Section[], groups: readonly Group[]): Buffer {
  const all = groups.flatMap(({ entries }) => entries);
  const at = all.findIndex((entry) => entry.name === name);
  const [previous, next] = [all[at - 1], all[at + 1]];
  const parts = sections.filter(({ depth }) => depth > 1);
  const contents = `<ul>${parts.map(({ depth, id, heading }) => `<li class="depth-${depth}"><a href="#${id}">${heading}</a></li>`).join('')}</ul>`;
  const turn = [
    previous && `<a rel="prev" href="/docs/${previous.name}"><small>Previous</small> ${previous.title}</a>`,
    next && `<a rel="next" href="/docs/${next.name}"><small>Next</small> ${next.title}</a>`,
  ];
  const [first, ...others] = sections;
  const content = `<div class="page">
${renderSide(groups, name)}
<main id="main">
${first!.html.replace('</h1>', parts.length > 0 ? `</h1>\n<details class="contents narrow"><summary>On this page</summary>${contents}</details>` : '</h1>')}
${others.map(({ html }) => html).join('')}
<nav class="turn" aria-label="Previous and next document">${turn.join('')}</nav>
</main>
${parts.length > 0 ? `<nav class="contents wide" aria-label="On this page"><h2>On this page</h2>${contents}</nav>` : ''}
</div>`;
  return renderPage({ title, content, markdown: name });
}

function renderIndex(groups: readonly Group[], introduction: Section): Buffer {
  const cards = groups.map(
    ({
      heading,
      entries,
    }) => `<section aria-labelledby="${heading.toLowerCase()}"><h2 id="${heading.toLowerCase()}">${heading}</h2>
<ul>${entries.map((entry) => `<li>${linkTo(entry)}<p>${entry.purpose[0]!.toUpperCase()}${entry.purpose.slice(1)}</p></li>`).join('\n')}</ul></section>`,
  );
  const content = `<main id="main" class="index">
${introduction.html}
${SEARCH}
<div class="groups">${cards.join('\n')}</div>
</main>`;
  return renderPage({ title: 'Docs', content, markdown: 'README' });
}

const renderViewer = (groups: readonly Group[]): Buffer =>
  renderPage({
    title: VIEWER.title,
    styles: ['swagger-ui', 'reference'],
    scripts: ['swagger-ui-bundle', 'reference'],
    content: `<div class="page">
${renderSide(groups, VIEWER.name)}
<div id="main"><div id="docs"></div></div>
</div>`,
  });

/** The search index, with its options, which it must be opened with. */
function createSearch(documents: readonly { group: string; entry: Entry; sections: readonly Section[] }[]): Buffer {
  const options = {
    fields: ['title', 'heading', 'purpose', 'text'],
    storeFields: ['title', 'heading', 'text', 'group'],
  };
  const index = new MiniSearch(options);
  for (const { group, entry, sections } of documents)
    for (const { depth, id, heading, html } of sections)
      index.add({
        id: `/docs/${entry.name}${depth === 1 ? '' : `#${id}`}`,
        group,
        title: entry.title,
        purpose: depth === 1 ? toText(entry.purpose) : '',
        heading: depth === 1 ? '' : toText(heading),
        text: toText(html.replace(/<h\d.*<\/h\d>/, '')),
      });
  return Buffer.from(JSON.stringify({ options, index }));
}

/** Renders the index, the documents, and the API reference as files of the site, what searches them, and their Markdown. */
export async function renderDocuments(): Promise<[path: string, content: Buffer][]> {
  const index = await readFile(`${FOLDER}/README.md`, 'utf8');
  const groups = readGroups(index);
  const documents = await Promise.all(
    groups
      .flatMap(({ heading, entries }) => entries.map((entry) => ({ group: heading, entry })))
      .filter(({ entry }) => entry !== VIEWER)
      .map(async ({ group, entry }) => ({
        group,
        entry,
        sections: renderSections(await readFile(`${FOLDER}/${entry.name}.md`, 'utf8')),
      })),
  );
  return [
    ['docs.html', renderIndex(groups, renderSections(index)[0]!)],
    [`docs/${VIEWER.name}.html`, renderViewer(groups)],
    ['assets/search.json', createSearch(documents)],
    ...documents.map(({ entry, sections }): [string, Buffer] => [
      `docs/${entry.name}.html`,
      renderDocument(entry, sections, groups),
    ]),
    ...(await renderTexts(documents.map(({ entry }) => entry.name))),
  ];
}
