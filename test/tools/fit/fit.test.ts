import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { lexicon } from '../../../shared/catalog/lexicon.ts';
import { calibratedRelevance, type Message, RELEVANCE_MODEL } from '../../../shared/matching/index.ts';
import { type Folder, readFolder } from '../../../tools/evaluate/folder.ts';
import { see } from '../../../tools/fit/examples.ts';
import { fitWeights } from '../../../tools/fit/fit-weights.ts';
import { leaveOut } from '../../../tools/fit/leave-out.ts';
import { dot } from '../../../tools/fit/regression.ts';
import { stage } from '../../../tools/fit/stage.ts';
import { trial } from '../../../tools/fit/trial.ts';
import { names, using } from '../../../tools/fit/weights.ts';

const campaign = (id: string, keywords: string[]) => ({
  id,
  name: id,
  labels: [id],
  targetAudience: { keywords },
  creative: { headline: id, landingUrl: `https://${id}.example` },
  maxCpb: 1,
});

/** Two sources that agree on what a flight, a hotel and shoes are, and on small talk. */
const SAID: [source: string, gold: string[], text: string][] = [
  ['asked', ['flights'], 'find me a cheap flight to Oslo'],
  ['asked', ['hotels'], 'book a hotel room in Rome for two nights'],
  ['asked', ['shoes'], 'which running shoes should I buy'],
  ['asked', [], 'tell me a joke about a hotel'],
  ['asked', [], 'my aunt had lovely shoes at the party yesterday'],
  ['asked', [], 'how are you today'],
  ['told', ['flights'], 'we want to fly to Lisbon in May, any airfare deals?'],
  ['told', ['hotels'], 'is there a place to stay near the harbour, a cheap hotel maybe'],
  ['told', ['shoes'], 'i need trail running shoes with more grip'],
  ['told', [], 'write a story about a pair of shoes that miss their flight'],
  ['told', [], 'the hotel in that film was haunted'],
  ['told', [], 'thanks, bye'],
];

let path: string;
let folder: Folder;
beforeAll(async () => {
  path = mkdtempSync(join(tmpdir(), 'fit-'));
  const campaigns = [
    campaign('flights', ['cheap flights', 'airfare']),
    campaign('hotels', ['hotel booking', 'cheap hotels']),
    campaign('shoes', ['running shoes', 'trail shoes']),
  ];
  const rows = SAID.map(([source, gold, content], i) => ({
    id: `row-${i}`,
    source,
    gold,
    countryCode: 'US',
    messages: [{ role: 'user', content }],
  }));
  writeFileSync(join(path, 'campaigns.json'), JSON.stringify(campaigns));
  writeFileSync(join(path, 'conversations.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  folder = await readFolder(path, Number.POSITIVE_INFINITY);
});
afterAll(() => rmSync(path, { recursive: true }));

const seen = () => {
  const staged = stage(folder, lexicon());
  return staged.rows.map((row) => see(staged, row, lexicon()));
};

describe('what is seen of a conversation', () => {
  it('has an example for each campaign that shares anything with it, with a value for each figure', () => {
    const [first] = seen();
    expect(first!.examples.filter(({ right }) => right)).toHaveLength(1);
    for (const { figures } of first!.examples) expect(figures).toHaveLength(names.length);
  });
  it('adds up to what the engine claims', () => {
    const { intercept, context, topic, keywords } = RELEVANCE_MODEL;
    const weights = [intercept, ...Object.values(context), ...Object.values(topic), keywords];
    for (const { stage, row, examples } of seen()) {
      const { candidates } = stage.index.match(row.messages as Message[], { bid: () => 1, debug: true });
      const claims = candidates.map((candidate) => candidate.relevance).sort();
      const sums = examples.map(({ figures }) => calibratedRelevance(dot(weights, figures))).sort();
      for (const [i, claim] of claims.entries()) expect(sums[i]).toBeCloseTo(claim);
    }
  });
});

describe('fitted weights', () => {
  it('find what they were fitted to', () => {
    const { f1 } = trial(seen(), fitWeights(seen()));
    const { f1: blank } = trial(seen(), { figures: names.map(() => 0), calibration: RELEVANCE_MODEL.calibration });
    expect(f1).toBeGreaterThan(0.9);
    expect(blank).toBeLessThan(0.8);
  });
  it('never let what speaks for a campaign speak against it: the index’s bounds rely on that', () => {
    const { figures } = fitWeights(seen());
    const topic = figures.slice(names.indexOf('evidence'));
    expect(Math.min(...topic)).toBeGreaterThanOrEqual(0);
  });
  it('leave relevance as it was, even when what is done with them fails', () => {
    const before = structuredClone(RELEVANCE_MODEL);
    const weights = { figures: names.map(() => 7), calibration: { shift: 1, low: 2, high: 3 } };
    expect(() =>
      using(weights, () => {
        throw new Error(`${RELEVANCE_MODEL.intercept}`);
      }),
    ).toThrow('7');
    expect(RELEVANCE_MODEL).toEqual(before);
  });
  it('of a source left out come from the others alone', () => {
    const all = seen();
    const others = all.filter(({ row }) => row.source === 'told');
    const own = all.filter(({ row }) => row.source === 'asked');
    const asked = leaveOut(all, fitWeights(all)).find(({ source }) => source === 'asked');
    expect(asked!.unknown).toEqual(trial(own, fitWeights(others)));
  });
});

async function run(...args: string[]) {
  const child = spawn(process.execPath, [
    fileURLToPath(new URL('../../../tools/fit/fit.ts', import.meta.url)),
    ...args,
  ]);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, status };
}

test('the command prints every weight, each source with and without it, and the mean of those left out', async () => {
  const { out, status } = await run(path);
  for (const name of [...names, 'shift', 'low', 'high'])
    expect(out).toMatch(new RegExp(`^${name} +-?\\d+\\.\\d\\d$`, 'm'));
  expect(out).toMatch(/^asked +6 +\d+\.\d +\d+\.\d +\d+\.\d +\d+\.\d$/m);
  expect(out).toMatch(/^all +12 /m);
  expect(out).toMatch(/^mean F1 of the sources that want ads, each left out: \d+\.\d %$/m);
  expect(status).toBe(0);
});

test('the command without a folder says what it wants', async () => {
  expect(await run()).toMatchObject({ status: 2, err: expect.stringMatching(/^Name folders .*npm run fit/) });
});
