import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundleFolder, type FunctionName, functionNames } from '../../infra/bundle.ts';
import { hotNames, mostBytes } from '../../infra/hot.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, type LocalDynamoDb, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { mintKey } from '../../shared/api-keys/key.ts';
import { endpointNames, endpointRow } from '../../shared/operations/endpoints.ts';
import { inputOf } from '../../shared/operations/inputs.ts';
import { workerNames, workerRow } from '../../shared/operations/workers.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { type Call, httpEvent } from '../harness.ts';
import { bundled, isSource } from './bundled.ts';

let outdir: string;
let account: Metafile;
let dynamoDb: LocalDynamoDb;

beforeAll(async () => {
  dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  await createLocalTables(dynamoDb.client, 'ads-test-');
  const environment = lambdaEnvironment(String(dynamoDb.client.endpoint), 'ads-test-');
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ outdir, account } = await bundled());
});
afterAll(() => dynamoDb.stop());

const load = (name: FunctionName) => import(`${bundleFolder(name, outdir)}/index.mjs`);

async function call(method: string, path: string, content?: Call) {
  const { name, event } = httpEvent(method, path, content);
  const { statusCode, body } = await (await load(name)).handler(event);
  return { status: statusCode, body: JSON.parse(body) };
}

test.each(functionNames)('%s loads from its bundle', async (name) => {
  expect((await load(name)).handler).toBeTypeOf('function');
});

test('descriptions of fields and summaries of operations are in the bundle of the OpenAPI document and in no other', () => {
  const words = globSync('shared/*/{schema,report}.ts')
    .flatMap((file) => readFileSync(file, 'utf8').split('.describe(').slice(1))
    .map((rest) => /^\s*(['"])([\w ,]{20,}?)[^\w ,]/.exec(rest)?.[2]);
  const summaries = endpointNames.map((name) => endpointRow(name).summary).filter((text) => !text.includes("'"));
  const described = [...words.filter((text) => text !== undefined), ...summaries];
  expect(described.length).toBeGreaterThan(10 + summaries.length);
  for (const name of functionNames) {
    const code = readFileSync(`${bundleFolder(name, outdir)}/index.mjs`, 'utf8');
    const carried = described.filter((text) => code.includes(text));
    expect(carried, name).toEqual(name === 'openapi' ? described : []);
  }
});

test('bundles answer events of API Gateway', async () => {
  expect(await call('GET', '/api/v1/health')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await call('PATCH', '/api/v1/health')).toMatchObject({ status: 405 });
  expect(await call('GET', '/nowhere')).toMatchObject({ status: 404 });
});

test('bundles find credentials and tables through the environment alone', async () => {
  const created = await call('POST', '/api/v1/auth/api-keys', {
    headers: { 'x-user-id': 'publisher' },
    body: { name: 'chat' },
  });
  expect(created.status).toBe(201);
  const { key } = created.body;
  const regs = { gpp: 'DBABBg~BAgAAABA.QA' };
  const body = { messages: [{ role: 'user', content: 'Which running shoes are good?' }], countryCode: 'US', regs };
  expect(await call('POST', '/api/v1/ssp/bid', { headers: { 'x-api-key': key }, body })).toEqual({
    status: 200,
    body: null,
  });
});

const withKey = { headers: { 'x-api-key': mintKey('live', (length) => Buffer.alloc(length, 7)) } };
const anything = { countryCode: 'US', messages: [{ role: 'user', content: 'hello' }] };
test.each([
  ['a bid', [503, 200], () => httpEvent('POST', '/api/v1/ssp/bid', { ...withKey, body: anything })],
  ['an ad', [503], () => httpEvent('GET', `/api/v1/ssp/ad/${crypto.randomUUID()}`, withKey)],
  ['a list', [503], () => httpEvent('GET', '/api/v1/campaigns', { headers: { 'x-user-id': 'alice' } })],
])('a store that says nothing costs whoever asks for %s a %j instead of hanging', async (_, statuses, request) => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${(mute.address() as AddressInfo).port}`);
  const { name, event } = request();
  const { handler } = await import(`${bundleFolder(name, outdir)}/index.mjs?mute`);
  // The deadlines themselves are tested on a clock that tests move: here nothing but the end of the test's time says that it hangs.
  const { statusCode } = await handler(event);
  mute.close();
  expect(statuses).toContain(statusCode); // a bid that is late is no bid
});

test('bundles are made of nothing but what says whether they are still the same', () => {
  const sources = Object.keys(account.inputs).filter(
    (file) => !/^(entry|builtin|builtin whole|credentials|store address):/.test(file),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => !isSource(file))).toEqual([]);
});

const outputOf = (name: FunctionName) =>
  Object.entries(account.outputs).find(([file]) => file.endsWith(`/${name}/index.mjs`))![1];

/** What a bundle in a process of its own prints, by a program that is given its file and the event of its fixture. */
async function printedBy(program: string, ...args: string[]): Promise<string> {
  const env = lambdaEnvironment('http://127.0.0.1:9', 'ads-test-');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, ...args], {
    env,
  });
  return stdout;
}

/** The stack of what goes wrong in a bundle with a request that no gateway sends. */
function stackOf(health: string): Promise<string> {
  const run = `
    const { handler } = await import(process.argv[1]);
    await handler({ ...JSON.parse(process.argv[2]), requestContext: {} }).catch((error) => console.log(error.stack));`;
  return printedBy(run, health, readFileSync('events/health.json', 'utf8'));
}

test('what goes wrong in a bundle is logged with the file and line of our source', async () => {
  const health = `${bundleFolder('health', outdir)}/index.mjs`;
  const stack = await stackOf(health);
  const [first, ...calls] = stack.split('\n');
  expect(first).toMatch(/^TypeError: Cannot read properties of undefined/);
  const [, file, line] = /^ {4}at \S.* \((shared\/runtimes\/\S+\.ts):(\d+):\d+\)$/.exec(calls[0]!)!;
  expect(readFileSync(file!, 'utf8').split('\n')[Number(line) - 1]).toContain('requestContext.http');
  expect(calls.join()).not.toContain(health);
});

test('a bundle without its map fails as it would with it, and tells its own lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-without-map-'));
  const health = join(folder, 'index.mjs');
  copyFileSync(`${bundleFolder('health', outdir)}/index.mjs`, health);
  const stack = await stackOf(health);
  rmSync(folder, { recursive: true });
  expect(stack).toMatch(/^TypeError: Cannot read properties of undefined/);
  expect(stack).toContain(`${health}:`);
});

test('what conversations and readers wait for starts without the second HTTP client, the standard input and the threads that Node has behind its modules', async () => {
  const run = `
    for (const file of process.argv.slice(1)) await import(file);
    console.log(process.moduleLoadList.filter((name) => /undici|http2|internal.tty|NativeModule worker_threads/.test(name)).join());
    process.exit();`;
  const files = hotNames.map((name) => `${bundleFolder(name, outdir)}/index.mjs`);
  expect((await printedBy(run, ...files)).trim()).toBe('');
});

/** Bytes that the map beside a bundle may have: it is read when the first stack of a process is asked for. */
const MOST_MAP_BYTES = 380 * 1024;

test.each(functionNames)('the map of %s is of our own code', (name) => {
  const map = readFileSync(`${bundleFolder(name, outdir)}/index.mjs.map`, 'utf8');
  expect(map.length).toBeLessThanOrEqual(MOST_MAP_BYTES);
  expect(JSON.parse(map).sourcesContent).toBeUndefined();
});

test.each(functionNames)('%s is light enough to start fast', (name) => {
  expect(outputOf(name).bytes).toBeLessThanOrEqual(mostBytes(name));
});

/** Kilobytes of bundles, all and gzipped, and of our own code in them. */
const weigh = (name: FunctionName) => {
  const code = readFileSync(`${bundleFolder(name, outdir)}/index.mjs`);
  const own = Object.entries(outputOf(name).inputs).filter(([file]) => !file.includes('node_modules/'));
  return {
    all: code.length / 1024,
    own: own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) / 1024,
    zipped: gzipSync(code).length / 1024,
  };
};

test('documents say of bundles what they weigh, to a tenth, and which are too heavy', () => {
  const rowsOf = (path: string, row: RegExp) =>
    [...readFileSync(path, 'utf8').matchAll(row)].map((found) => found.slice(1));
  const wrong: string[] = [];
  const compare = (path: string, said: string[], measured: number[]) => {
    if (measured.some((kilobytes, at) => Math.abs(Number(said[at]) / kilobytes - 1) > 0.1))
      wrong.push(`${path}: ${said.join(', ')} instead of ${measured.map(Math.round).join(', ')} KB`);
  };
  const inBenchmarks = rowsOf(
    'docs/benchmarks.md',
    /^\| `([\w/-]+)` \| \d+ KB \| \d+ KB \| (\d+) KB \| (\d+) KB \|$/gm,
  );
  const atEdge = rowsOf('docs/edge.md', /^\| Lambda `([\w/-]+)`[^|]* \| (\d+) KB \| (\d+) KB \|$/gm);
  expect([inBenchmarks.length, atEdge.length]).toEqual([6, 3]);
  for (const [name, ...said] of inBenchmarks) {
    const { all, own } = weigh(name as FunctionName);
    compare(`docs/benchmarks.md, ${name}`, said, [all, own]);
  }
  for (const [name, ...said] of atEdge) {
    const { all, zipped } = weigh(name as FunctionName);
    compare(`docs/edge.md, ${name}`, said, [all, zipped]);
  }
  expect(wrong).toEqual([]);
  const most = (name: FunctionName) => mostBytes(name) / 1024;
  const limits = `${most('ssp/ad')} KB for a hot function and ${most('ssp/bid')} KB for one that matches`;
  expect(readFileSync('infra/README.md', 'utf8').replaceAll('\n', ' ')).toContain(limits);
});

/** The files of some packages that a bundle has code of. */
const carried = (name: FunctionName, packages: RegExp): string[] =>
  Object.entries(outputOf(name).inputs)
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && packages.test(file))
    .map(([file]) => file);

const SDK = /node_modules\/(@aws-sdk|@smithy)\//;
const asking = [
  ...endpointNames.filter((name) => endpointRow(name).judge),
  ...workerNames.filter((name) => workerRow(name).judge),
];

test('what reads the strings of TCF and GPP is a file beside the bundles that bid, and in none of them', async () => {
  const chunkOf = (name: FunctionName) => `${bundleFolder(name, outdir)}/regs.mjs`;
  const bidding = functionNames.filter((name) => existsSync(chunkOf(name)));
  expect(bidding.sort()).toEqual(['legacy/request', 'openrtb2/bid', 'ssp/bid']);
  for (const name of functionNames) expect(carried(name, /node_modules\/@iab/)).toEqual([]);
  const { stringsOptOut } = await import(chunkOf('ssp/bid'));
  expect([stringsOptOut({ gpp: 'DBABBg~BAgAAABA.QA' }), stringsOptOut({ gpp: 'x' })]).toEqual([false, true]);
});

test('the second opinion is a file beside the bundles that ask for it, and in none of them', () => {
  const chunkOf = (name: FunctionName) => `${bundleFolder(name, outdir)}/judge.mjs`;
  expect(functionNames.filter((name) => existsSync(chunkOf(name)))).toEqual(asking);
  for (const name of functionNames) {
    expect(carried(name, /client-(bedrock|secrets)|shared\/judge\/|shared\/platform\/(bedrock|openai)/)).toEqual([]);
  }
});

test.each(['openai', 'bedrock'])(
  'the second opinion by %s loads from its file, where the settings ask for it',
  async (protocol) => {
    vi.stubEnv('JUDGE', protocol);
    vi.stubEnv('JUDGE_MODEL', 'small');
    vi.stubEnv('JUDGE_URL', 'http://127.0.0.1:9');
    const { openJudge } = await import(`${bundleFolder('ssp/bid', outdir)}/judge.mjs`);
    const clock = { ...systemClock, timer: () => () => {} }; // a busy machine is never too late
    const judge = await openJudge(
      { clock, metrics: noMetrics, log: createLog('silent') },
      readConfig(process.env, false).judge,
    );
    expect(await judge.opine({ messages: [], ads: [] })).toEqual({ result: 'failed' });
  },
);

const ZOD = /node_modules\/zod\//;

test.each(endpointNames)('%s carries no client of SQS', (name) => {
  expect(carried(name, /client-sqs/)).toEqual([]);
});

test.each(endpointNames.filter((name) => Object.keys(endpointRow(name).tables).length === 0))(
  '%s, whose row names no table, carries no SDK',
  (name) => {
    expect(carried(name, SDK)).toEqual([]);
  },
);

/** A list without a query, and what only reads or deletes by an id, for example. */
const withoutSchema = endpointNames.filter((name) => name !== 'openapi' && Object.keys(inputOf(name)).length === 0);

test.each(withoutSchema)('%s, which reads neither body nor query, carries no zod', (name) => {
  expect(carried(name, ZOD)).toEqual([]);
});

test('a click carries at most 62 KB of our own code, and 90 KB with Hono and the parser of addresses', () => {
  // The last two are what the SDK's cache of endpoints is made of.
  const ofAws = /node_modules\/(@aws|@aws-sdk|@smithy|mnemonist|obliterator)\//;
  const { inputs: parts } = outputOf('click/redirect');
  const bytesWithout = (packages: RegExp) =>
    Object.entries(parts).reduce(
      (sum, [file, { bytesInOutput }]) => sum + (packages.test(file) ? 0 : bytesInOutput),
      0,
    );
  expect(bytesWithout(/node_modules\//)).toBeLessThanOrEqual(62 * 1024);
  expect(bytesWithout(ofAws)).toBeLessThanOrEqual(90 * 1024);
});

test('stemmers are carried only where conversations or campaigns are read, and the detector of languages nowhere as code', () => {
  const carrying = (part: string) =>
    functionNames.filter((name) => Object.keys(outputOf(name).inputs).some((input) => input.includes(part)));
  expect(carrying('@orama/stemmers').sort()).toEqual([
    'campaigns/create',
    'campaigns/preview',
    'campaigns/update',
    'legacy/request',
    'openrtb2/bid',
    'schedules/write-snapshot',
    'ssp/bid',
    'trusted-match/context',
  ]);
  expect(carrying('node_modules/eld')).toEqual([]);
});
