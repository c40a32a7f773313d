import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundleFolder, type FunctionName, functionNames } from '../../infra/bundle.ts';
import { findStartupFiles, maxStartupBytes } from '../../infra/bundle-size.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, type LocalDynamoDb, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { endpointNames, endpointRow } from '../../shared/http/operations/endpoints.ts';
import { getInput } from '../../shared/http/operations/inputs.ts';
import { workerNames, workerRow } from '../../shared/http/operations/workers.ts';
import { generateKey } from '../../shared/keys/credential.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { systemClock } from '../../shared/platform/system-clock.ts';
import { type Call, httpEvent } from '../service.ts';
import { bundled, isSource } from './bundled.ts';

let outdir: string;
let metafiles: Map<FunctionName, Metafile>;
let dynamoDb: LocalDynamoDb;

beforeAll(async () => {
  dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  await createLocalTables(dynamoDb.client, 'ads-test-');
  const environment = lambdaEnvironment(String(dynamoDb.client.endpoint), 'ads-test-');
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ outdir, metafiles } = await bundled());
}, 600_000); // a busy machine takes minutes to bundle all functions
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

test('only the function that returns the OpenAPI document has it in its bundle', () => {
  const describing = functionNames.filter((name) => carried(name, /shared\/http\/openapi\//).length > 0);
  expect(describing).toEqual(['openapi']);
});

test('bundles respond to events of API Gateway', async () => {
  expect(await call('GET', '/api/v1/health')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await call('PATCH', '/api/v1/health')).toMatchObject({ status: 405 });
  expect(await call('GET', '/nowhere')).toMatchObject({ status: 404 });
});

test('bundles get credentials and tables only from the environment', async () => {
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

const withKey = { headers: { 'x-api-key': generateKey('live', (length) => Buffer.alloc(length, 7)) } };
const anything = { countryCode: 'US', messages: [{ role: 'user', content: 'hello' }] };
test.each([
  ['a bid', [503, 200], () => httpEvent('POST', '/api/v1/ssp/bid', { ...withKey, body: anything })],
  ['an ad', [503], () => httpEvent('GET', `/api/v1/ssp/ad/${crypto.randomUUID()}`, withKey)],
  ['a list', [503], () => httpEvent('GET', '/api/v1/campaigns', { headers: { 'x-user-id': 'alice' } })],
])('%s returns %j if the store does not respond, instead of hanging', async (_, statuses, request) => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${(mute.address() as AddressInfo).port}`);
  const { name, event } = request();
  const { handler } = await import(`${bundleFolder(name, outdir)}/index.mjs?mute`);
  // Other tests check the exact deadlines on a fake clock. Here, a function that hangs runs into the test's timeout.
  const { statusCode } = await handler(event);
  mute.close();
  expect(statuses).toContain(statusCode); // a bid that times out returns no bid
});

test('the cache key of the bundles covers every file that they contain', () => {
  const sources = [...metafiles.values()]
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((file) => file !== '<stdin>');
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => !isSource(file))).toEqual([]);
});

/** Loads a function with an invalid setting in a new process. @returns the stack of its error */
async function stackOfFault(name: FunctionName): Promise<string> {
  const run = 'await import(process.argv[1]).catch((error) => console.log(error.stack));';
  const env = { ...lambdaEnvironment('http://127.0.0.1:9', 'ads-test-'), LOG_LEVEL: 'loud' };
  const args = ['--input-type=module', '-e', run, resolve(bundleFolder(name, outdir), 'index.mjs')];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

test('stack traces name the file and line of our source', async () => {
  const [message, thrownAt] = (await stackOfFault('health')).split('\n');
  expect(message).toMatch(/LOG_LEVEL=loud/);
  const [, file, line] = /\((\/\S+\/shared\/platform\/config\.ts):(\d+):\d+\)$/.exec(thrownAt!)!;
  expect(readFileSync(file!, 'utf8').split('\n')[Number(line) - 1]).toContain('throw new ConfigError');
});

test('source maps refer to our sources without their content', () => {
  const { sources, sourcesContent } = JSON.parse(
    readFileSync(`${bundleFolder('ssp/bid', outdir)}/index.mjs.map`, 'utf8'),
  );
  expect(sources.filter((source: string) => source.endsWith('/functions/ssp/bid.ts'))).toHaveLength(1);
  expect(sourcesContent).toBeUndefined();
});

test.each(functionNames)('%s loads at most the code that its limit allows at start', (name) => {
  const bytes = findStartupFiles(metafiles.get(name)!).reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeLessThanOrEqual(maxStartupBytes(name));
});

test('infra/README.md lists the limits', () => {
  const [light, others] = [maxStartupBytes('ssp/ad') / 1024, maxStartupBytes('ssp/bid') / 1024];
  const limits = `${light} KB of code for an ad or a click and ${others} KB for others`;
  const [, paragraph] = /(`npm run check -- size` [^`]*)`/.exec(readFileSync('infra/README.md', 'utf8'))!;
  expect(paragraph).toContain(limits);
});

/** The modules that match a pattern and whose code a function loads at start. */
const carried = (name: FunctionName, modules: RegExp): string[] =>
  findStartupFiles(metafiles.get(name)!)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && modules.test(file))
    .map(([file]) => file);

/** The chunk that a function loads for a dynamic import of a module, or undefined. */
function chunkOf(name: FunctionName, module: string): string | undefined {
  const { outputs } = metafiles.get(name)!;
  const path = Object.keys(outputs).find((file) => outputs[file]!.entryPoint === module);
  return path && join(bundleFolder(name, outdir), basename(path));
}

const SDK = /node_modules\/(@aws-sdk|@smithy)\//;
const asking = [
  ...endpointNames.filter((name) => endpointRow(name).judge),
  ...workerNames.filter((name) => workerRow(name).judge),
];

test('the parsers of TCF and GPP strings are loaded only if a bid contains one', async () => {
  const module = 'shared/ads/regs/strings.ts';
  for (const name of ['legacy/request', 'openrtb2/bid', 'ssp/bid'] as const)
    expect(chunkOf(name, module)).toBeDefined();
  for (const name of functionNames) expect(carried(name, /node_modules\/@iab/)).toEqual([]);
  const { doStringsOptOut } = await import(chunkOf('ssp/bid', module)!);
  expect([doStringsOptOut({ gpp: 'DBABBg~BAgAAABA.QA' }), doStringsOptOut({ gpp: 'x' })]).toEqual([false, true]);
});

test('the second opinion is loaded only by functions whose rows declare it, and only if the settings enable it', () => {
  expect(functionNames.filter((name) => chunkOf(name, 'shared/ads/judge/judge.ts'))).toEqual(asking);
  for (const name of functionNames)
    expect(carried(name, /client-(bedrock|secrets)|shared\/judge\/|shared\/platform\/(bedrock|openai)/)).toEqual([]);
});

test.each(['openai', 'bedrock'])('the second opinion with %s loads from its chunk', async (protocol) => {
  vi.stubEnv('JUDGE', protocol);
  vi.stubEnv('JUDGE_MODEL', 'small');
  vi.stubEnv('JUDGE_URL', 'http://127.0.0.1:9');
  const { openJudge } = await import(chunkOf('ssp/bid', 'shared/ads/judge/judge.ts')!);
  const clock = { ...systemClock, timer: () => () => {} }; // a busy machine never times out
  const judge = await openJudge(
    { clock, metrics: noMetrics, log: createLog('silent') },
    readConfig(process.env, false).judge,
  );
  expect(await judge.opine({ messages: [], ads: [] })).toEqual({ result: 'failed' });
});

const ZOD = /node_modules\/zod\//;

test.each(endpointNames)('%s contains no SQS client', (name) => {
  expect(carried(name, /client-sqs/)).toEqual([]);
});

test.each(endpointNames.filter((name) => Object.keys(endpointRow(name).tables).length === 0))(
  '%s, whose row names no table, contains no SDK',
  (name) => {
    expect(carried(name, SDK)).toEqual([]);
  },
);

/** Operations without a body or query, for example those that read or delete by id. */
const withoutSchema = endpointNames.filter((name) => name !== 'openapi' && Object.keys(getInput(name)).length === 0);

test.each(withoutSchema)('%s, which reads neither body nor query, contains no zod', (name) => {
  expect(carried(name, ZOD)).toEqual([]);
});

test('only functions that read conversations or campaigns contain stemmers, and none contains the language detector as code', () => {
  const carrying = (part: string) =>
    functionNames.filter((name) =>
      findStartupFiles(metafiles.get(name)!).some(({ inputs }) =>
        Object.keys(inputs).some((input) => input.includes(part)),
      ),
    );
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
