import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRefusals } from '../shared/http/openapi/refusals.ts';
import { endpointRow } from '../shared/http/operations/endpoints.ts';
import { getInput } from '../shared/http/operations/inputs.ts';
import { answering } from '../shared/http/operations/responses.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const CODE = '{functions,shared,infra,tools,packages/{*/src,examples},web,test}/**/*.{ts,tsx,mjs}';
/** All code except this file, which contains the pattern of a citation but no citation. */
const code = globSync(CODE).filter((file) => file !== 'test/docs.test.ts');

const DOCUMENTS = ['README.md', 'infra/README.md', ...globSync('docs/*.md')];

/** "1" for the heading "## 1. HTTP in general", "1.2" for "### 1.2 Errors". */
const sections = new Set(
  [...read('docs/api.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number),
);

describe('Documents', () => {
  it('contain every section of docs/api.md that a comment cites', () => {
    const cited = code.flatMap((file) =>
      [...read(file).matchAll(/\(api ([^):]*)/g)].flatMap(([, numbers = '']) =>
        (numbers.match(/\d+(\.\d+)*/g) ?? [numbers]).map((number) => ({ file, number })),
      ),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
  });

  it('are cited only if they are in the repository', () => {
    const citing = code.filter((file) =>
      /\b(contract|decisions), sections? \d|\bsections? \d[\d.]* of the (contract|decisions)/.test(read(file)),
    );
    expect(citing).toEqual([]);
  });

  it.each(DOCUMENTS)('name only existing files and folders: %s', (document) => {
    const named = [
      ...read(document).matchAll(/`((?:functions|shared|infra|packages|tools|web|test|docs|events)\/[\w./*-]*)`/g),
    ];
    const missing = named
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path) && !existsSync(`functions/${path}.ts`) && globSync(path).length === 0);
    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('link only to existing files: %s', (document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(dirname(document), path)))).toEqual([]);
  });

  it.each(globSync('packages/*/README.md'))(
    'have no relative links in packages, because registries show only the README: %s',
    (document) => {
      expect(read(document)).not.toMatch(/\]\((?!https?:|#)/);
    },
  );

  it('explain the fix of every error of the API', () => {
    const documented = new Set(
      [...read('docs/errors.md').matchAll(/^\| (\d{3}) \| (.+?) \| .{10,} \|$/gm)].map(
        ([, status, message]) => `${status} ${message}`,
      ),
    );
    const fixed = answering.flatMap((name) => listRefusals(name, { ...endpointRow(name), ...getInput(name) }));
    // Other messages of 400 depend on the field, and explain the fix themselves.
    const messages = fixed.filter(({ status }) => status !== 400).map(({ status, message }) => `${status} ${message}`);
    expect(messages.length).toBeGreaterThan(100);
    expect([...new Set(messages)].filter((message) => !documented.has(message))).toEqual([]);
    const code = globSync('shared/**/*.ts').map(read).join('\n');
    const unknown = [...documented].map((one) => one.slice('400 '.length)).filter((message) => !code.includes(message));
    expect(unknown).toEqual([]);
  });
});
