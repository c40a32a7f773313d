import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { addCampaign } from '../../../shared/campaigns/add.ts';
import { createCampaign } from '../../../shared/campaigns/campaign-schema.ts';
import { readChangesSince } from '../../../shared/campaigns/changes.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import { systemResolve } from '../../../shared/platform/effects.ts';
import { systemIds } from '../../../shared/platform/ids.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { noMetrics } from '../../../shared/platform/metrics.ts';
import { patientClock } from '../../../tools/patient-clock.ts';
import { runHere, runHereAtOnce } from './run-here.ts';

const campaign = (id: string, labels: string[], keywords: string[], change: object = {}) => ({
  id,
  labels,
  name: `Campaign ${id}`,
  targetAudience: { keywords },
  creative: { headline: 'For you', landingUrl: 'https://shop.example/' },
  bidStrategy: 'manual',
  maxCpb: 2,
  budget: 100,
  status: 'active',
  ...change,
});

const campaigns = [
  campaign('flights', ['flights'], ['cheap flights', 'airline tickets']),
  campaign('hotels', ['hotels'], ['cheap hotels', 'hotel room']),
  campaign('shoes', ['shoes', 'sport'], ['running shoes']),
  campaign('tax', ['tax'], ['tax software', 'tax return'], { name: 'Campaign SHOES' }),
  campaign('garden', ['garden'], ['lawn mower'], { maxCpb: 2_000 }),
];

let count = 0;
const row = (slice: string, gold: string[], content: string, change: object = {}) =>
  JSON.stringify({
    id: `row-${++count}`,
    source: count % 2 ? 'odd' : 'even',
    slice,
    countryCode: 'US',
    messages: [{ role: 'user', content }],
    gold,
    ...change,
  });

const rows = [
  row('direct', ['flights'], 'I am looking for cheap flights to Lisbon'),
  row('direct', ['hotels', 'travel'], 'I want to book cheap hotels in Rome'),
  row('direct', ['sport'], 'Which running shoes should I buy?'),
  row('direct', ['tax'], 'I need tax software for my tax return'),
  row('hard', ['garden'], 'Which running shoes should I buy for the garden?'),
  row('hard', ['flights'], 'Where can I watch whales?'),
  row('idle', [], 'Hello there, how are you?'),
  row('idle', [], 'Thank you, that was kind of you'),
  row('idle', [], 'Which running shoes should I buy?'),
  row('open', ['flights'], 'What is the capital of Portugal?', { optional: true }),
  row('open', ['hotels'], 'I want to book cheap hotels in Rome', { optional: true }),
  '{"id": "cut off',
  row('bad', [], '', { messages: [] }),
  row('bad', [], 'Hello', { countryCode: 'Atlantis' }),
];

type Run = Awaited<ReturnType<typeof runHere>>;
let folder: string;
let run: Run;
let stack: Stack;
let runAgainstStack: Run;
let runWithLabels: Run;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evaluate-'));
  await writeFile(join(folder, 'campaigns.json'), JSON.stringify(campaigns));
  await writeFile(join(folder, 'conversations.jsonl'), rows.join('\n'));

  const settings = { DATA_DIR: ':memory:', DYNOXIDE_BIN: process.env.DYNOXIDE_BIN };
  stack = await startStack({
    config: readConfig(settings, true),
    clock: patientClock,
    ids: systemIds,
    log: createLog('silent'),
    metrics: noMetrics,
    resolve: systemResolve,
  });
  const { labels, id, ...body } = campaign('whales', ['whales'], ['whales']);
  await addCampaign(stack.effects, getLexicon(), 'someone', createCampaign.parse(body));
  const server = createGateway(stack.apps);
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  [run, runAgainstStack, runWithLabels] = await Promise.all([
    runHere(folder, '--out', join(folder, 'out.jsonl'), '--errors', '2'),
    runHereAtOnce(folder, '--url', url),
    runHere(folder, '--judge', 'labels'),
  ]);
  server.close().closeAllConnections();
});
afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true });
});

describe('a folder against its own service', () => {
  test.each([
    ['campaigns', '4 (1 more refused)'],
    ['rows answered', '11: 6 want an ad, 3 want none, 2 optional'],
    ['bad rows', '3'],
    ['errors', '0'],
    ['bids', '7'],
    ['no-bids', '4'],
    ['precision', '71.4 %'],
    ['recall', '66.7 %'],
    ['F1', '69.0 %'],
    ['false bids', '1 of 3, 33.3 %'],
  ])('prints %s %s', (name, value) => {
    expect(run.out.split('\n')).toContainEqual(expect.stringContaining(`${name.padEnd(15)}${value}`));
  });

  test.each([
    'slice     rows  want  none  bids  precision  recall     F1  false bids',
    'direct       4     4     0     4      100.0   100.0  100.0           -',
    'hard         2     2     0     1        0.0     0.0    0.0           -',
    'idle         3     0     3     1          -       -      -        33.3',
    'open         2     0     0     1      100.0       -      -           -',
    'source    rows  want  none  bids  precision  recall     F1  false bids',
    'even         5     3     1     2      100.0    66.7   80.0         0.0',
    'odd          6     3     2     5       60.0    66.7   63.2        50.0',
  ])('prints for each slice and source: %s', (expected) => {
    const cells = (text: string) => text.split(/ +/);
    expect(run.out.split('\n').map(cells)).toContainEqual(cells(expected));
  });

  test('prints confidence intervals and calibration', () => {
    expect(run.out).toMatch(/^F1 +69\.0 % {2}\(95 %: \d+\.\d to \d+\.\d\)$/m);
    expect(run.out).toMatch(/^false bids +1 of 3, 33\.3 % {2}\(95 %: 0\.0 to 100\.0\)$/m);
    expect(run.out.match(/^0\.\d to [01]\.\d /gm)).toHaveLength(10);
    expect(run.out).toMatch(/^calibration +mean gap 0\.\d{3}; each bin weighing as much as it has rows 0\.\d{3}$/m);
  });

  test('lists the worst rows', () => {
    const [wrong, missed] = run.out.split('\n\n').slice(-2);
    expect(wrong).toMatch(/row-5 \[odd, hard\] wants garden; bid shoes Campaign shoes \(shoes, sport\)/);
    expect(wrong).toMatch(/row-9 \[odd, idle\] wants none; bid shoes /);
    expect(wrong).toContain('user: Which running shoes should I buy for the garden?');
    expect(missed).toMatch(/row-6 \[even, hard\] wants flights; best /);
  });

  test('prints the latency', () => {
    expect(run.out).toMatch(/^latency ms +p50 [\d.]+ {2}p90 [\d.]+ {2}p99 [\d.]+ {2}max [\d.]+ /m);
  });

  test('reports invalid rows and rejected campaigns, and continues', () => {
    expect(run.err).toContain('Bad row, line 12: it is not JSON');
    expect(run.err).toContain('Bad row, line 13: messages: it has no messages');
    expect(run.err).toMatch(/Bad row, line 14 \(row-13\): status 400: countryCode/);
    expect(run.err).toMatch(/Campaign garden is rejected: .* status 400: maxCpb/);
    expect(run.status).toBe(0);
  });

  test('writes one line per evaluated row', async () => {
    const lines = (await readFile(join(folder, 'out.jsonl'), 'utf8')).trim().split('\n');
    const written = lines.map((line) => JSON.parse(line));
    expect(written.map(({ campaignId }) => campaignId)).toEqual([
      'flights',
      'hotels',
      'shoes',
      'tax',
      'shoes',
      null,
      null,
      null,
      'shoes',
      null,
      'hotels',
    ]);
    expect(Object.keys(written[0])).toEqual(['id', 'campaignId', 'score']);
    for (const { campaignId, score } of written) if (campaignId) expect(score).toBeGreaterThan(0.3);
  });
});

test('the command prints the report and exits with its status', async () => {
  const path = fileURLToPath(new URL('../../../tools/evaluate/evaluate.ts', import.meta.url));
  const child = spawn(process.execPath, [path, '/no/such/folder', folder, '--judge', 'labels']);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect({ out, err, status }).toEqual({ out: '', err: '/no/such/folder is not a folder\n', status: 2 });
});

test('several folders each get a report under their name, and share one output file', async () => {
  const file = join(folder, 'both.jsonl');
  const { out, status } = await runHere(folder, folder, '--judge', 'labels', '--limit', '4', '--out', file);
  const reports = out.split(`# ${folder}\n`);
  expect(reports).toHaveLength(3);
  for (const report of reports.slice(1)) expect(report).toMatch(/^direct +4 /m);
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(8);
  expect(status).toBe(0);
});

describe('a folder with a judge that knows its labels', () => {
  test('is evaluated in this process, and gets only correct bids', () => {
    const { out, err, status } = runWithLabels;
    expect(err).toMatch(/Bad row, line 14 \(row-13\): countryCode/);
    expect(err).toMatch(/Campaign garden is rejected: maxCpb/);
    expect(out).toMatch(/^campaigns +4 \(1 more refused\)$/m);
    expect(out).toMatch(/^rows answered +11: /m);
    // If two rows have the same text and different labels, the judge uses the last one.
    expect(out).toMatch(/^bids +4$/m);
    expect(out).toMatch(/^precision +100\.0 %$/m);
    expect(out).toMatch(/^false bids +0 of 3/m);
    expect(status).toBe(0);
  });
});

describe('a folder against a running service', () => {
  test('counts bids of campaigns that existed before as wrong', () => {
    const { out, status } = runAgainstStack;
    expect(out).toMatch(/^foreign bids +1 wrong bids by campaigns not of the folder: cmp_\w+$/m);
    expect(out).toMatch(/^precision +62\.5 %/m);
    expect(status).toBe(0);
  });

  test('cancels all of its own campaigns, and no others', async () => {
    const left: Record<string, string> = {};
    for await (const change of readChangesSince(stack.effects, 0)) {
      if (change.kind === 'campaign') left[change.campaign.name] = change.campaign.status;
    }
    expect(left).toEqual({
      'Campaign whales': 'active',
      'Campaign flights': 'cancelled',
      'Campaign hotels': 'cancelled',
      'Campaign shoes': 'cancelled',
      'Campaign SHOES': 'cancelled',
    });
  });
});

test.concurrent.each<[string, string[], RegExp]>([
  ['a folder that is not there', ['/no/such/folder'], /^\/no\/such\/folder is not a folder\n$/],
  ['no folder', [], /^Name a folder: .*\n$/],
])('%s: one line and status 2', async (_, args, message) => {
  const { err, out, status } = await runHere(...args);
  expect({ out, status }).toEqual({ out: '', status: 2 });
  expect(err).toMatch(message);
});

test.concurrent('an address where nothing listens: one line and status 2', async () => {
  const { err, out, status } = await runHere(folder, '--url', 'http://127.0.0.1:9');
  expect({ out, status }).toEqual({ out: '', status: 2 });
  expect(err.trim().split('\n').at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:9 cannot be reached: /);
});

test.concurrent('a file that cannot be written: one line and status 2, before any work', async () => {
  const { err, status } = await runHere(folder, '--out', join(folder, 'none', 'out.jsonl'));
  expect(err).toMatch(/^--out .* cannot be written: .*\n$/);
  expect(status).toBe(2);
});
