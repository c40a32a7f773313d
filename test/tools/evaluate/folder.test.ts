import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatRowError, readFolder } from '../../../tools/evaluate/folder.ts';
import { EvaluationError } from '../../../tools/evaluate/options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evaluate-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (campaigns: string | undefined, rows: string | undefined) => {
  if (campaigns !== undefined) await writeFile(join(folder, 'campaigns.json'), campaigns);
  if (rows !== undefined) await writeFile(join(folder, 'conversations.jsonl'), rows);
};
const campaigns = '[{"id":"c1","name":"Tents","labels":["camping"]}]';
const conversation = { countryCode: 'DE', messages: [{ role: 'user', content: 'Hello' }], gold: [] };
const row = (change: object): string => JSON.stringify({ id: 'r1', ...conversation, ...change });

test('a campaign is a request body without its id and labels', async () => {
  await put(campaigns, row({}));
  const read = await readFolder(folder, Infinity);
  expect(read.campaigns).toEqual([{ id: 'c1', labels: ['camping'], body: { name: 'Tents' } }]);
});

test('a row has its line number, and defaults for optional fields', async () => {
  await put(campaigns, `\n${row({})}\n`);
  const read = await readFolder(folder, Infinity);
  expect(read.rows).toEqual([{ id: 'r1', line: 2, source: '-', slice: '-', optional: false, ...conversation }]);
});

test.each([
  ['text that is not JSON', '{"id":', 'line 2: it is not JSON'],
  ['a row without messages', row({ messages: undefined }), 'line 2: messages: messages are missing'],
  ['a row with no message', row({ messages: [] }), 'line 2: messages: it has no messages'],
  ['a row without an id', row({ id: undefined }), 'line 2: id: id is missing'],
  ['a row without gold', row({ id: 'r2', gold: undefined }), 'line 2: gold: gold must be a list of labels'],
  ['an id used before', row({}), 'line 2 (r1): line 1 has the same id'],
])('reports %s with its line, and continues', async (_, bad, reason) => {
  await put(campaigns, [row({}), bad, row({ id: 'r3' })].join('\n'));
  const read = await readFolder(folder, Infinity);
  expect(read.badRows.map(formatRowError)).toEqual([reason]);
  expect(read.rows.map(({ id }) => id)).toEqual(['r1', 'r3']);
});

test('a limit keeps only the first rows', async () => {
  await put(campaigns, [row({}), row({ id: 'r2' }), row({ id: 'r3' })].join('\n'));
  expect((await readFolder(folder, 2)).rows.map(({ id }) => id)).toEqual(['r1', 'r2']);
});

test.each([
  ['no campaigns.json', undefined, row({}), /campaigns\.json cannot be read/],
  ['a campaigns.json that is not JSON', 'x', row({}), /campaigns\.json cannot be read/],
  ['no campaign', '[]', row({}), /it has no campaigns/],
  ['a campaign without labels', '[{"id":"c1"}]', row({}), /0\.labels/],
  [
    'two campaigns of one id',
    `${campaigns.slice(0, -1)},${campaigns.slice(1)}`,
    row({}),
    /two campaigns have the id c1/,
  ],
  ['no conversations.jsonl', campaigns, undefined, /conversations\.jsonl cannot be read/],
  ['no valid row', campaigns, 'x', /no valid row: line 1: it is not JSON/],
])('rejects a folder with %s in one line', async (_, campaignsFile, rowsFile, message) => {
  await put(campaignsFile, rowsFile);
  const error: Error = await readFolder(folder, Infinity).then(
    () => expect.unreachable(),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(EvaluationError);
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('\n');
});

test('the error names a folder that does not exist', async () => {
  await expect(readFolder(join(folder, 'none'), 1)).rejects.toThrow(/none is not a folder/);
});
