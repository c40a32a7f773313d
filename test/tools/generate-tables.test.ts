import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outcomes } from '../../shared/platform/values/outcomes.ts';
import { keysOf } from '../../shared/platform/values/typed.ts';
import { operations, operationsTable, replaceTable, TABLES, updateTable } from '../../tools/generate-tables.ts';

const read = (document: string): string => readFileSync(`docs/${document}.md`, 'utf8');

describe('The tables of operations, outcomes and events in docs/', () => {
  it.each(keysOf(TABLES))('are those that the code has: npm run check -- readme writes them into %s', (document) => {
    expect(read(document)).toBe(updateTable(document, read(document)));
  });

  it('name every outcome once, with whose business it is', () => {
    for (const code of outcomes)
      expect(read('why-no-ad').match(new RegExp(`^\\| \`${code}\` \\| \\w+ \\| .+ \\|$`, 'gm')), code).toHaveLength(1);
  });

  it('name every operation with its method, path, credential and purpose', () => {
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

  it('leave what stands around them as it is', () => {
    const text = 'before\n<!-- operations -->\nold\n<!-- /operations -->\nafter\n';
    const once = replaceTable(text, 'operations', '| new |');
    expect(once).toBe('before\n<!-- operations -->\n\n| new |\n\n<!-- /operations -->\nafter\n');
    expect(replaceTable(once, 'operations', '| new |')).toBe(once);
  });

  it('are not written into a document without markers', () => {
    expect(() => replaceTable('no markers', 'operations', '| x |')).toThrow('no <!-- operations -->');
  });

  it('keep a stroke in a summary from making a cell', () => {
    const row = { ...operations[0]!, summary: 'This | that' };
    expect(operationsTable([row])).toContain('This \\| that |');
  });
});
