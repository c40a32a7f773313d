import { readFile } from 'node:fs/promises';
import { basename, dirname, posix } from 'node:path';
import { SITE_NAME } from '../../shared/platform/values/site-settings.ts';

const ROOT = `${import.meta.dirname}/../..`;

/** Files outside of docs/ that documents link to. */
const PACKAGES = ['client', 'ai'];
const OTHERS = ['infra/README.md', ...PACKAGES.map((name) => `packages/${name}/README.md`)];
/** The module for Python, which the site serves with its other files. */
const PYTHON = 'packages/python/conversation_ads.py';

const read = (path: string): Promise<string> => readFile(`${ROOT}/${path}`, 'utf8');

/**
 * The documents as Markdown, the READMEs that they link to, and `llms.txt`, which lists them for language models (llmstxt.org). Each has the
 * path that it has in the repository, so that relative links work.
 * @param names of the documents
 */
export async function renderTexts(names: readonly string[]): Promise<[path: string, content: Buffer][]> {
  const paths = ['README', ...names].map((name) => `docs/${name}.md`);
  const served = new Set([...paths, ...OTHERS]);
  const texts = [...served].map(async (path): Promise<[string, Buffer]> => {
    return [path, Buffer.from(relink(await read(path), path, served))];
  });
  return [['llms.txt', Buffer.from(await renderList())], ...(await Promise.all(texts))];
}

/** Code, which stays as it is, or a link or an image with its text and target. */
const CODE_OR_LINK = /```.*?```|`[^`]*`|(?<image>!?)\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)/gs;

/** Points images and the module to where the site serves them, and turns links to files that it does not serve into their text. */
const relink = (document: string, path: string, served: ReadonlySet<string>): string =>
  document.replaceAll(CODE_OR_LINK, (all, image, text, target) => {
    if (target === undefined || /^(https?:|#)/.test(target)) return all;
    const file = posix.join(dirname(path), target.replace(/#.*/, ''));
    if (image || file === PYTHON) return `${image}[${text}](/assets/${basename(file)})`;
    return served.has(file) ? all : text;
  });

/** The lists of docs/README.md are in the format of `llms.txt`. The section Optional may be left out where there is little room. */
async function renderList(): Promise<string> {
  const { description }: { description: string } = JSON.parse(await read('package.json'));
  const index = await read('docs/README.md');
  const lists = index
    .slice(index.indexOf('\n## '))
    .replaceAll('](', '](/docs/')
    .replace('## Reference\n\n', '$&- [OpenAPI document](/api/v1/openapi.json): every operation and its fields\n')
    .replace('## Internals', `## Packages\n\n${await listPackages()}\n\n## Optional`);
  return `# ${SITE_NAME}

> ${description}

Examples use \`http://localhost:3000\`, the address of \`npm start\`. Use the address that serves this file instead. A publisher's server sends an API key
as \`X-API-Key\`; apps and pages never contain it.
${lists}`;
}

async function listPackages(): Promise<string> {
  const packages = PACKAGES.map(async (folder) => {
    const { name, description }: Record<string, string> = JSON.parse(await read(`packages/${folder}/package.json`));
    return `- [${name}](/packages/${folder}/README.md): ${description}`;
  });
  const [, summary] = /^"""(.+)/.exec(await read(PYTHON)) ?? [];
  return [...(await Promise.all(packages)), `- [${basename(PYTHON)}](/assets/${basename(PYTHON)}): ${summary}`].join(
    '\n',
  );
}
