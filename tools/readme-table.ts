import { readFileSync, writeFileSync } from 'node:fs';
import { endpointNames, endpointRow } from '../shared/operations/endpoints.ts';
import type { Endpoint } from '../shared/operations/rows.ts';
import { OUTCOMES, outcomes } from '../shared/values/outcomes.ts';

const CREDENTIALS: Record<Endpoint['credential'], string> = {
  key: '`X-API-Key`',
  'any-key': '`Authorization: Bearer`, `x-api-key` or `api_key`',
  owner: '`x-user-id`',
  none: 'none',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (...rows: string[][]): string => rows.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** The table of operations in Markdown, in the order of the table in code; what has no path of its own is left out. */
export const operationsTable = (operations: readonly Endpoint[]): string =>
  table(
    ['Method', 'Path', 'Credential', 'What it does'],
    ['---', '---', '---', '---'],
    ...operations
      .filter(({ path }) => path !== null)
      .map(({ methods, path, credential, summary }) => [
        methods.join(', '),
        `\`${path}\``,
        CREDENTIALS[credential],
        summary,
      ]),
  );

/** The table of outcomes in Markdown. */
const outcomesTable = (): string =>
  table(
    ['Outcome', 'Whose business', 'What it means'],
    ['---', '---', '---'],
    ...outcomes.map((code) => [`\`${code}\``, OUTCOMES[code].whose, OUTCOMES[code].means]),
  );

/** A text with what stands between two markers replaced. @throws Error when it has none of that name */
export function withTable(text: string, name: string, table: string): string {
  const [first, last] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(first), text.indexOf(last)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${first} before a ${last}`);
  return `${text.slice(0, start)}${first}\n\n${table}\n\n${text.slice(end)}`;
}

/** Every operation there is. */
export const operations: readonly Endpoint[] = endpointNames.map(endpointRow);

/** README.md with its tables as the code has them. */
export const withTables = (text: string): string =>
  withTable(withTable(text, 'operations', operationsTable(operations)), 'outcomes', outcomesTable());

if (import.meta.main) writeFileSync('README.md', withTables(readFileSync('README.md', 'utf8')));
