import { readFileSync, writeFileSync } from 'node:fs';
import { stageFileSchema } from '../infra/stage-options.ts';
import { endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import type { Endpoint } from '../shared/http/operations/rows.ts';
import { OUTCOMES, outcomes } from '../shared/platform/values/outcomes.ts';
import { getKeys } from '../shared/platform/values/typed.ts';
import { eventDescriptions } from '../shared/webhooks/events/event-response.ts';

const CREDENTIALS: Record<Endpoint['credential'], string> = {
  key: '`X-API-Key`',
  'any-key': '`Authorization: Bearer`, `x-api-key` or `api_key`',
  owner: '`x-user-id`',
  none: 'none',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (...rows: string[][]): string => rows.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** The table of operations in Markdown. Operations without a path are omitted. */
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
    ['Outcome', 'Who can change it', 'Meaning'],
    ['---', '---', '---'],
    ...outcomes.map((code) => [`\`${code}\``, OUTCOMES[code].whose, OUTCOMES[code].means]),
  );

/** Replaces the text between two markers. @throws Error if the markers are missing */
export function replaceTable(text: string, name: string, table: string): string {
  const [first, last] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(first), text.indexOf(last)];
  if (start < 0 || end < start) throw new Error(`no ${first} followed by ${last}`);
  return `${text.slice(0, start)}${first}\n\n${table}\n\n${text.slice(end)}`;
}

/** Every operation. */
export const operations: readonly Endpoint[] = endpointNames.map(endpointRow);

const eventsTable = (): string =>
  table(
    ['Type', 'When', '`data` has'],
    ['---', '---', '---'],
    ...eventDescriptions.map(({ type, meaning, body }) => [
      `\`${type}\``,
      `${meaning}.`,
      getKeys(body.shape.data.shape)
        .map((name) => `\`${name}\``)
        .join(', '),
    ]),
  );

/** The generated table of each document. */
export const TABLES = {
  operations: () => operationsTable(operations),
  'why-no-ad': outcomesTable,
  events: eventsTable,
};
const MARKERS: Readonly<Record<keyof typeof TABLES, string>> = {
  operations: 'operations',
  'why-no-ad': 'outcomes',
  events: 'events',
};

/** Updates the generated table in the text of a document. */
export const updateTable = (document: keyof typeof TABLES, text: string): string =>
  replaceTable(text, MARKERS[document], TABLES[document]());

if (import.meta.main) {
  for (const document of getKeys(TABLES)) {
    const file = `docs/${document}.md`;
    writeFileSync(file, updateTable(document, readFileSync(file, 'utf8')));
  }
  writeFileSync('infra/stage.schema.json', `${JSON.stringify(stageFileSchema(), null, 2)}\n`);
}
