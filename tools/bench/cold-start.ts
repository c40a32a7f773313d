import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleFolder, bundleFunctions } from '../../infra/bundle.ts';
import { hotNames } from '../../infra/hot.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { createLocalEffects } from '../../infra/local/effects.ts';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createSnapshotWriter } from '../../shared/ads/catalog/snapshot-writer.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { median } from '../statistics.ts';
import { createGeneratedQuery } from './generated-campaigns.ts';
import { bundlePlain } from './plain/bundle.ts';

const ROUNDS = 15;
const CAMPAIGNS = 1_000;
const PREFIX = 'ads-';
const FOLDER = '.build/cold';

/** A file that exports a handler, and the file with its event. */
interface Subject {
  name: string;
  file: string;
  fixture: string;
}

/** Script for a new process that imitates a new Lambda instance: load, invoke, and print the elapsed and processor time. */
const RUN = `
  import { readFileSync } from 'node:fs';
  const [, , file, fixture] = process.argv;
  const { handler } = await import(file);
  const answer = await handler(JSON.parse(readFileSync(fixture, 'utf8')));
  if (answer.statusCode >= 400) throw new Error(answer.body);
  const { user, system } = process.cpuUsage();
  const figures = { at: performance.timeOrigin + performance.now(), processor: (user + system) / 1000 };
  process.stdout.write(JSON.stringify(figures), () => process.exit());`;

/**
 * `npm run bench -- cold`: milliseconds from process start to first response, and processor time, for our functions and plain ones that make
 * the same calls. Prints medians of 15 rounds against a local stand-in with a snapshot of 1,000 campaigns.
 */
async function bench(): Promise<void> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  try {
    await createLocalTables(dynamoDb.client, PREFIX);
    const effects = createLocalEffects(readConfig({}, true), createLog('silent'));
    const db = openDatabase({ prefix: PREFIX, ...effects, client: dynamoDb.client });
    const generated = { ...db, query: createGeneratedQuery(CAMPAIGNS, getLexicon()) };
    await createSnapshotWriter({ ...effects, db: generated }, getLexicon())();
    await seedFixtures({ ...effects, db });
    // Run ours first: our function cannot read a bid that the plain one has served.
    const subjects = [...(await buildFunctions()), ...(await buildBaselines())];
    const times = await measure(subjects, lambdaEnvironment(String(dynamoDb.client.endpoint), PREFIX));
    for (const { name } of subjects) {
      const [ms, processor] = (['ms', 'processor'] as const).map((figure) =>
        Math.round(median(times.get(name)!.map((run) => run[figure]))),
      );
      console.log(`${name.padEnd(24)} ${ms} ms, ${processor} ms processor time`);
    }
  } finally {
    await dynamoDb.stop();
  }
}

const buildFunctions = async (): Promise<Subject[]> => {
  await bundleFunctions(undefined, hotNames);
  return hotNames.map((name) => ({ name, file: `${bundleFolder(name)}/index.mjs`, fixture: `events/${name}.json` }));
};

/** Baselines: Node without code, and plain functions that make the same calls. */
async function buildBaselines(): Promise<Subject[]> {
  const plain = await bundlePlain();
  mkdirSync(FOLDER, { recursive: true });
  const empty = `${FOLDER}/empty.mjs`;
  writeFileSync(empty, 'export const handler = async () => ({ statusCode: 200 });');
  return [
    { name: 'empty handler', file: empty, fixture: 'events/health.json' },
    ...plain.map(({ name, file }) => ({ name: `plain ${name}`, file, fixture: `events/${name}.json` })),
  ];
}

interface Run {
  ms: number;
  processor: number;
}

/** Runs all subjects in each round, so that other load on the machine affects them equally. */
async function measure(subjects: readonly Subject[], environment: Record<string, string>): Promise<Map<string, Run[]>> {
  writeFileSync(`${FOLDER}/run.mjs`, RUN);
  const times = new Map(subjects.map(({ name }): [string, Run[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, file, fixture } of subjects) times.get(name)!.push(await runOnce(file, fixture, environment));
  }
  return times;
}

async function runOnce(file: string, fixture: string, env: Record<string, string>): Promise<Run> {
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [`${FOLDER}/run.mjs`, resolve(file), fixture], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await new Response(child.stdout).text();
  if (!output) throw new Error(`${file} did not respond to ${fixture}`);
  const { at, processor } = JSON.parse(output);
  return { ms: at - startedAt, processor };
}

await bench();
