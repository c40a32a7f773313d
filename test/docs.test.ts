import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRefusals } from '../shared/http/openapi/refusals.ts';
import { endpointRow } from '../shared/http/operations/endpoints.ts';
import { getInput } from '../shared/http/operations/inputs.ts';
import { answering } from '../shared/http/operations/responses.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const CODE = '{functions,shared,infra,tools,packages/{*/src,examples},web,test}/**/*.{ts,tsx,mjs}';
/** This file names how comments cite, and cites nothing. */
const code = globSync(CODE).filter((file) => file !== 'test/docs.test.ts');

const DOCUMENTS = ['README.md', 'infra/README.md', ...globSync('docs/*.md')];

/** "1" for the heading "## 1. HTTP in general", "1.2" for "### 1.2 Errors". */
const sections = new Set(
  [...read('docs/api.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number),
);

describe('The documents', () => {
  it('have every section of docs/api.md that a comment cites', () => {
    const cited = code.flatMap((file) =>
      [...read(file).matchAll(/\(api ([^):]*)/g)].flatMap(([, numbers = '']) =>
        (numbers.match(/\d+(\.\d+)*/g) ?? [numbers]).map((number) => ({ file, number })),
      ),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
  });

  it('cite no document that is not in the repository', () => {
    const strangers = code.filter((file) =>
      /\b(contract|decisions), sections? \d|\bsections? \d[\d.]* of the (contract|decisions)/.test(read(file)),
    );
    expect(strangers).toEqual([]);
  });

  it.each(DOCUMENTS)('name in %s only files and folders that are there', (document) => {
    const named = [
      ...read(document).matchAll(/`((?:functions|shared|infra|packages|tools|web|test|docs|events)\/[\w./*-]*)`/g),
    ];
    const missing = named
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path) && !existsSync(`functions/${path}.ts`) && globSync(path).length === 0);
    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('lead in %s only to files that are there', (document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(dirname(document), path)))).toEqual([]);
  });

  it.each(globSync('packages/*/README.md'))(
    'lead from %s to nothing beside it, since a registry shows it alone',
    (document) => {
      expect(read(document)).not.toMatch(/\]\((?!https?:|#)/);
    },
  );

  it('say of every refusal of the API what mends it', () => {
    const said = new Set(
      [...read('docs/errors.md').matchAll(/^\| (\d{3}) \| (.+?) \| .{10,} \|$/gm)].map(
        ([, status, message]) => `${status} ${message}`,
      ),
    );
    const fixed = answering.flatMap((name) => listRefusals(name, { ...endpointRow(name), ...getInput(name) }));
    // What a 400 says beside the contract's own words depends on the field, and says itself what would be right.
    const messages = fixed.filter(({ status }) => status !== 400).map(({ status, message }) => `${status} ${message}`);
    expect(messages.length).toBeGreaterThan(100);
    expect([...new Set(messages)].filter((message) => !said.has(message))).toEqual([]);
    const code = globSync('shared/**/*.ts').map(read).join('\n');
    const unknown = [...said].map((one) => one.slice('400 '.length)).filter((message) => !code.includes(message));
    expect(unknown).toEqual([]);
  });
});
