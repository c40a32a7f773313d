import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations, operationsTable, withOperations } from '../../infra/readme-table.ts';

const readme = readFileSync('README.md', 'utf8');

describe('The table of operations in README.md', () => {
  it('is the one that the code has: npm run readme writes it', () => {
    expect(readme).toBe(withOperations(readme, operationsTable(operations)));
  });

  it('names every operation with its method, path, credential and purpose', () => {
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

  it('leaves what stands around it as it is', () => {
    const text = 'before\n<!-- operations -->\nold\n<!-- /operations -->\nafter\n';
    const once = withOperations(text, '| new |');
    expect(once).toBe('before\n<!-- operations -->\n\n| new |\n\n<!-- /operations -->\nafter\n');
    expect(withOperations(once, '| new |')).toBe(once);
  });

  it('is not written where nobody asked for it', () => {
    expect(() => withOperations('no markers', '| x |')).toThrow('README.md has no <!-- operations -->');
  });

  it('keeps a stroke in a summary from making a cell', () => {
    const row = { ...operations[0]!, summary: 'This | that' };
    expect(operationsTable([row])).toContain('This \\| that |');
  });
});
