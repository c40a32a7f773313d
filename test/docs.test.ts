import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(file, 'utf8');
const CODE = '{functions,shared,infra,tools,client,web,test/*,examples}/**/*.{ts,tsx}';

/** "1" for the heading "## 1. HTTP in general", "1.2" for "### 1.2 Errors". */
const sections = new Set(
  [...read('docs/api.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number),
);

describe('The documents', () => {
  it('have every section of docs/api.md that a comment cites', () => {
    const cited = globSync(CODE).flatMap((file) =>
      [...read(file).matchAll(/\(api ([^):]*)/g)].flatMap(([, numbers = '']) =>
        (numbers.match(/\d+(\.\d+)*/g) ?? [numbers]).map((number) => ({ file, number })),
      ),
    );
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
  });

  it('cite no document that is not in the repository', () => {
    const strangers = globSync(CODE).filter((file) =>
      /\b(contract|decisions), sections? \d|\bsections? \d[\d.]* of the (contract|decisions)/.test(read(file)),
    );
    expect(strangers).toEqual([]);
  });

  it.each([
    'README.md',
    'infra/README.md',
    'docs/api.md',
    'docs/architecture.md',
    'docs/matching.md',
    'docs/glossary.md',
  ])('name in %s only files and folders that are there', (document) => {
    const named = [
      ...read(document).matchAll(
        /`((?:functions|shared|infra|packages|tools|web|test|docs|events|examples)\/[\w./*-]*)`/g,
      ),
    ];
    const missing = named
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path) && !existsSync(`functions/${path}.ts`) && globSync(path).length === 0);
    expect(missing).toEqual([]);
  });

  it('keep the glossary at forty words', () => {
    const rows = read('docs/glossary.md').match(/^\| (?!word)/gm) ?? [];
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.length).toBeLessThanOrEqual(40);
  });
});
