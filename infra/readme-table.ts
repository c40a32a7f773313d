import { readFileSync, writeFileSync } from 'node:fs';
import { type Endpoint, endpointNames, endpointRow } from '../shared/endpoints.ts';

const START = '<!-- operations -->';
const END = '<!-- /operations -->';

const CREDENTIALS: Record<Endpoint['credential'], string> = {
  key: '`X-API-Key`',
  'any-key': '`Authorization: Bearer`, `x-api-key` or `api_key`',
  user: '`x-user-id`',
  none: 'none',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The table of operations in Markdown, in the order of the table in code; what has no path of its own is left out. */
export function operationsTable(operations: readonly Endpoint[]): string {
  const rows = operations
    .filter(({ path }) => path !== null)
    .map(({ methods, path, credential, summary }) =>
      [methods.join(', '), `\`${path}\``, CREDENTIALS[credential], summary].map(cell).join(' | '),
    );
  return ['Method | Path | Credential | What it does', '--- | --- | --- | ---', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');
}

/** A text with what stands between its markers replaced. @throws Error when it has no markers */
export function withOperations(text: string, table: string): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${START} before a ${END}`);
  return `${text.slice(0, start)}${START}\n\n${table}\n\n${text.slice(end)}`;
}

/** Every operation there is. */
export const operations: readonly Endpoint[] = endpointNames.map(endpointRow);

if (import.meta.main) {
  writeFileSync('README.md', withOperations(readFileSync('README.md', 'utf8'), operationsTable(operations)));
}
