import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { type Message, RELEVANCE_MODEL, toRelevance } from '../../../shared/matching/index.ts';
import { type Folder, readFolder } from '../../../tools/evaluate/folder.ts';
import { computeFigures } from '../../../tools/evaluate/score.ts';
import { buildExamples, type RowExamples } from '../../../tools/fit/examples.ts';
import { fitWeights } from '../../../tools/fit/fit-weights.ts';
import { indexFolder } from '../../../tools/fit/indexed-folder.ts';
import { bidWithWeights, crossValidate, scoreWinner } from '../../../tools/fit/leave-out.ts';
import { dot } from '../../../tools/fit/regression.ts';
import { FIRST_OF_CAMPAIGN, figureNames, type Weights, withWeights } from '../../../tools/fit/weights.ts';

const campaign = (id: string, keywords: string[]) => ({
  id,
  name: id,
  labels: [id],
  targetAudience: { keywords },
  creative: { headline: id, landingUrl: `https://${id}.example` },
  maxCpb: 1,
});

/** Two sources with the same labels for flights, hotels, shoes, and small talk. */
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
  const indexed = indexFolder(folder, getLexicon());
  return indexed.rows.map((row) => buildExamples(indexed, row, getLexicon()));
};

/** Switches off what `fit` does not fit, until the end of the test. */
function useOnlyFittedWeights(): void {
  const { bought, chorePenalty, need } = RELEVANCE_MODEL;
  onTestFinished(() => void Object.assign(RELEVANCE_MODEL, { bought, chorePenalty, need }));
  Object.assign(RELEVANCE_MODEL, {
    bought: 0,
    chorePenalty: 0,
    need: { ...need, intercept: Number.NEGATIVE_INFINITY },
  });
}

describe('examples of a conversation', () => {
  it('include each campaign that shares a term or topic with it, with a value for each feature', () => {
    const [first] = seen();
    expect(first!.examples.filter(({ right }) => right)).toHaveLength(1);
    for (const { figures } of first!.examples) expect(figures).toHaveLength(figureNames.length);
  });
  it('sum up to the relevance that the engine computes', () => {
    const { intercept, context, topic, keywords, latest, likeness, asked } = RELEVANCE_MODEL;
    // These corrections are chosen, not fitted, and the model of needs is fitted to other messages.
    useOnlyFittedWeights();
    const weights = [intercept, ...Object.values(context), ...Object.values(topic), keywords, latest, likeness, asked];
    for (const { folder, row, examples } of seen()) {
      const { candidates } = folder.index.match(row.messages as Message[], { bid: () => 1, debug: true });
      const claims = candidates.map((candidate) => candidate.relevance).sort();
      const sums = examples.map(({ figures }) => toRelevance(dot(weights, figures))).sort();
      for (const [i, claim] of claims.entries()) expect(sums[i]).toBeCloseTo(claim);
    }
  });
});

describe('fitted weights', () => {
  const f1 = (weights: Weights) =>
    computeFigures(
      bidWithWeights(seen(), weights).map((winner, i) =>
        scoreWinner(seen()[i]!.row, winner, RELEVANCE_MODEL.thresholds.balanced),
      ),
    ).f1;
  it('find the right campaigns for the data they were fitted to', () => {
    useOnlyFittedWeights();
    const examples = seen();
    // Repeat the data as if there were hundreds of conversations, so that the penalty has little effect.
    const many = Array.from({ length: 100 }, () => examples).flat();
    expect(f1(fitWeights(many))).toBeGreaterThan(0.9);
    expect(f1(figureNames.map((name) => (name === 'intercept' ? -2 : 0)))).toBeLessThan(0.8);
  });
  it('are not negative for features of a campaign, because the bounds of the index rely on it', () => {
    expect(Math.min(...fitWeights(seen()).slice(FIRST_OF_CAMPAIGN))).toBeGreaterThanOrEqual(0);
  });
  it('are reset after use, even after an error', () => {
    const before = structuredClone(RELEVANCE_MODEL);
    const { topic } = RELEVANCE_MODEL;
    const work = () => {
      throw new Error(`${RELEVANCE_MODEL.intercept}`);
    };
    expect(() =>
      withWeights(
        figureNames.map(() => 7),
        work,
      ),
    ).toThrow('7');
    expect(RELEVANCE_MODEL).toEqual(before);
    expect(RELEVANCE_MODEL.topic).toBe(topic);
  });
  it('of a left-out row do not depend on its source or the campaigns that it wants', () => {
    const all = seen();
    const row = all[0]!; // of the source "asked", and wants flights
    const weights = fitWeights(all);
    const unknown = (rows: RowExamples[]) => crossValidate(rows, weights).find(({ seen }) => seen === row)!.heldOut;
    const wrong = (one: RowExamples): RowExamples => ({
      ...one,
      examples: one.examples.map((example) => ({ ...example, right: !example.right })),
    });
    const related = ({ row: { source, gold } }: RowExamples) => source === 'asked' || gold.includes('flights');
    expect(all.filter(related).length).toBeLessThan(all.length);
    // Changing the other left-out rows does not change its result.
    expect(unknown(all.map((one) => (one !== row && related(one) ? wrong(one) : one)))).toEqual(unknown(all));
  });
});

/** The names of all weights, with any numbers. */
const toWeightsShape = () => {
  const { intercept, context, topic, keywords, latest, likeness, asked, thresholds } = RELEVANCE_MODEL;
  const anyNumbers = (value: unknown): unknown =>
    typeof value === 'number'
      ? expect.any(Number)
      : Object.fromEntries(Object.entries(value as object).map(([name, own]) => [name, anyNumbers(own)]));
  return anyNumbers({ intercept, context, topic, keywords, latest, likeness, asked, thresholds }) as object;
};

async function run(...args: string[]) {
  const child = spawn(process.execPath, [
    fileURLToPath(new URL('../../../tools/fit/fit.ts', import.meta.url)),
    ...args,
  ]);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, status };
}

test('the command writes the weights and thresholds, and prints figures by slice, source, and folder', async () => {
  const file = join(path, 'weights.json');
  const { out, status } = await run(path, path, '--out', file);
  const written = JSON.parse(readFileSync(file, 'utf8'));
  expect(written).toEqual({ ...toWeightsShape(), need: RELEVANCE_MODEL.need });
  const { strict, balanced, open } = written.thresholds;
  expect([strict >= balanced, balanced >= open]).toEqual([true, true]);
  for (const name of figureNames) expect(out).toMatch(new RegExp(`^${name} +-?\\d+\\.\\d\\d$`, 'm'));
  expect(out).toMatch(/^- +24( +\d+\.\d){8}$/m);
  expect(out).toMatch(/^asked +12( +\d+\.\d){8}$/m);
  expect(out).toContain(`\nstrict (${strict})`);
  expect(out).toContain(`\n${path} `);
  expect(status).toBe(0);
});

test('the command prints its usage without a folder', async () => {
  expect(await run()).toMatchObject({ status: 2, err: expect.stringMatching(/^Usage: npm run train -- fit/) });
});
