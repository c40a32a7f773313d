import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { bundle, bundleFolder, bundling } from '../../infra/bundle.ts';
import { hotNames } from '../../infra/hot.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { machineEffects } from '../../infra/local/machine.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { snapshotWriter } from '../../shared/catalog/snapshot-writer.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { median } from '../median.ts';
import { queryOfGenerated } from './stock.ts';

const ROUNDS = 15;
const CAMPAIGNS = 1_000;
const PREFIX = 'ads-';
const FOLDER = '.build/cold';

/** A file that exports a handler, and the file with the event that it is given. */
interface Subject {
  name: string;
  file: string;
  fixture: string;
}

/** What everything is compared with: Node alone, and the SDK with one write. */
const BASELINES = {
  'empty handler': 'export const handler = async () => ({ statusCode: 200 });',
  'bare SDK, one write': `
    import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
    const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
    export const handler = () => db.send(new UpdateCommand({
      TableName: '${PREFIX}bids', Key: { id: 'cold' }, UpdateExpression: 'ADD seen :one', ExpressionAttributeValues: { ':one': 1 },
    }));`,
};

/** What Lambda does with a new instance, from a process of its own: load, call, and say when the answer was there, and at what processor time. */
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
 * `npm run bench -- cold`: milliseconds from the start of a process to its first answer, and of them the process's own on a processor, medians
 * of 15, against a stand-in on this machine that has a snapshot of 1,000 campaigns.
 */
async function bench(): Promise<void> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  try {
    await createLocalTables(dynamoDb.client, PREFIX);
    const effects = machineEffects(readConfig({}, true), createLog('silent'));
    const db = openDatabase({ prefix: PREFIX, ...effects, client: dynamoDb.client });
    const generated = { ...db, query: queryOfGenerated(CAMPAIGNS, lexicon()) };
    await snapshotWriter({ ...effects, db: generated }, lexicon())();
    await seedFixtures({ ...effects, db });
    const subjects = [...(await buildBaselines()), ...(await buildFunctions())];
    const times = await measure(subjects, lambdaEnvironment(String(dynamoDb.client.endpoint), PREFIX));
    for (const { name } of subjects) {
      const [ms, processor] = (['ms', 'processor'] as const).map((figure) =>
        Math.round(median(times.get(name)!.map((run) => run[figure]))),
      );
      console.log(`${name.padEnd(22)} ${ms} ms, ${processor} ms of processor`);
    }
  } finally {
    await dynamoDb.stop();
  }
}

const buildFunctions = async (): Promise<Subject[]> => {
  await bundle(undefined, hotNames);
  return hotNames.map((name) => ({ name, file: `${bundleFolder(name)}/index.mjs`, fixture: `events/${name}.json` }));
};

const buildBaselines = (): Promise<Subject[]> =>
  Promise.all(
    Object.entries(BASELINES).map(async ([name, contents]) => {
      const file = `${FOLDER}/${name.replaceAll(/\W+/g, '-')}.mjs`;
      await build({ ...bundling, stdin: { contents, resolveDir: '.' }, outfile: file });
      return { name, file, fixture: 'events/health.json' };
    }),
  );

interface Run {
  ms: number;
  processor: number;
}

/** Round by round, so that whatever else the machine does falls on all of them alike. */
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
  const said = await new Response(child.stdout).text();
  if (!said) throw new Error(`${file} did not answer ${fixture}`);
  const { at, processor } = JSON.parse(said);
  return { ms: at - startedAt, processor };
}

await bench();
