import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outcomes } from '../../shared/platform/values/outcomes.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { operations, operationsTable, replaceTable, TABLES, updateTable } from '../../tools/generate-tables.ts';

const read = (document: string): string => readFileSync(`docs/${document}.md`, 'utf8');

describe('The tables of operations, outcomes and events in docs/', () => {
  it.each(getKeys(TABLES))('match the code: `npm run check -- readme` writes them into %s', (document) => {
    expect(read(document)).toBe(updateTable(document, read(document)));
  });

  it('list every outcome once, with who can act on it', () => {
    for (const code of outcomes)
      expect(read('why-no-ad').match(new RegExp(`^\\| \`${code}\` \\| \\w+ \\| .+ \\|$`, 'gm')), code).toHaveLength(1);
  });

  it('list every operation with its method, path, credential, and purpose', () => {
    const readme = read('operations');
    const section = readme.slice(readme.indexOf('<!-- operations -->'), readme.indexOf('<!-- /operations -->'));
    const lines = section.split('\n').filter((line) => line.startsWith('| '));
    const paths = operations.filter(({ path }) => path !== null);
    expect(lines).toHaveLength(2 + paths.length);
    for (const { methods, path, summary } of paths) {
      expect(lines.filter((line) => line.startsWith(`| ${methods.join(', ')} | \`${path}\` | `))).toEqual([
        expect.stringContaining(` | ${summary} |`),
      ]);
    }
  });

  it('do not change the text around them', () => {
    const text = 'before\n<!-- operations -->\nold\n<!-- /operations -->\nafter\n';
    const once = replaceTable(text, 'operations', '| new |');
    expect(once).toBe('before\n<!-- operations -->\n\n| new |\n\n<!-- /operations -->\nafter\n');
    expect(replaceTable(once, 'operations', '| new |')).toBe(once);
  });

  it('are not written into a document without markers', () => {
    expect(() => replaceTable('no markers', 'operations', '| x |')).toThrow('no <!-- operations -->');
  });

  it('escape a vertical bar in a summary', () => {
    const row = { ...operations[0]!, summary: 'This | that' };
    expect(operationsTable([row])).toContain('This \\| that |');
  });
});
