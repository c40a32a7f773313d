import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import type { Config } from '../../shared/platform/config.ts';
import { type TableName, tableNames, tableShape } from '../../shared/platform/tables.ts';
import { toError } from '../../shared/platform/values/typed.ts';
import { StartError } from './command.ts';
import { lockFolder } from './lock.ts';
import { findFreePort, LOOPBACK } from './port.ts';

type LocalSettings = Pick<Config, 'dataDir' | 'dynamoDbEndpoint' | 'dynoxideBin'>;

export interface LocalDynamoDb {
  client: DynamoDBClientConfig;
  stop(): Promise<void>;
}

/** The stand-ins separate their data by region. */
export const REGION = 'local';

/** SDK configuration for a stand-in on this machine; overrides settings from an AWS profile. */
export const createLocalClient = (endpoint: string) => ({
  endpoint,
  region: REGION,
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** Connects to the configured DynamoDB endpoint, or starts the stand-in as a child process with its data in `dataDir` (`:memory:` stores none). */
export async function startDynamoDb({ dataDir, dynamoDbEndpoint, dynoxideBin }: LocalSettings): Promise<LocalDynamoDb> {
  if (dynamoDbEndpoint) {
    openFolder(dataDir); // of the queues
    const client = createLocalClient(dynamoDbEndpoint);
    if (!(await createProbe(client)()))
      throw new StartError(`AWS_ENDPOINT_URL_DYNAMODB=${dynamoDbEndpoint} does not answer`);
    return { client, stop: async () => {} };
  }
  const path = findBinary(dynoxideBin);
  const unlock = openFolder(dataDir, lockFolder);
  const port = await findFreePort();
  const child = spawnStandIn(path, ['--host', LOOPBACK, '--port', String(port), ...databaseArguments(dataDir)]);
  const client = createLocalClient(`http://${LOOPBACK}:${port}`);
  await waitUntilReady(client, child).catch((error) => {
    unlock();
    throw error;
  });
  return {
    client,
    stop: () =>
      new Promise((done) => {
        unlock();
        if (child.exitCode !== null) return done();
        child.once('exit', () => done());
        child.stdin?.end();
      }),
  };
}

/**
 * If this process is killed, the stand-in must stop too: a shell reads from a pipe of this process and kills the stand-in when the pipe
 * closes. A separate process group keeps Ctrl-C from killing it before this process has stopped. The shell exits with the stand-in, so a
 * failed start is noticed at once.
 */
function spawnStandIn(path: string, args: string[]): ChildProcess {
  const script =
    'exec 3<&0; "$0" "$@" 3<&- & standin=$!; (cat <&3 >/dev/null; kill $standin) & watch=$!; wait $standin; kill $watch';
  return spawn('sh', ['-c', script, path, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}

/** Checks that the stand-in is installed. @throws StartError */
export function requireDynamoDb({ dynamoDbEndpoint, dynoxideBin }: Omit<LocalSettings, 'dataDir'>): void {
  if (!dynamoDbEndpoint) findBinary(dynoxideBin);
}

function findBinary(named: string | undefined): string {
  const packaged = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const path = named ?? createRequire(import.meta.url).resolve(`${packaged}/dynoxide`);
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    throw new StartError(
      `The DynamoDB stand-in is missing (${named ?? packaged}): run "npm install --no-save ${packaged}@1.2.1", or set DYNOXIDE_BIN, or run "docker run -d -p 8000:8000 amazon/dynamodb-local" and set AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000.`,
    );
  }
}

const databaseArguments = (dataDir: string): string[] =>
  dataDir === ':memory:' ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')];

/** The sticky bit of a folder that all users of a machine share, such as /tmp. */
const STICKY = 0o1000;

/**
 * Creates the data folder if necessary, restricts it to this user, and locks it. It contains keys and conversations, so no other user of
 * the machine may access it.
 * @returns the function that releases the lock
 */
function openFolder(dataDir: string, take: (dataDir: string) => () => void = () => () => {}): () => void {
  if (dataDir === ':memory:') return () => {};
  try {
    // Not recursive if the parent exists: on some file systems, Node would retry forever.
    if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: !existsSync(dirname(resolve(dataDir))), mode: 0o700 });
    const folder = statSync(dataDir);
    if ((folder.mode & STICKY) !== 0) throw new Error('all users of this machine share it; choose a folder inside it');
    if (folder.isDirectory() && (folder.mode & 0o077) !== 0) chmodSync(dataDir, 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return take(dataDir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR=${dataDir} cannot be used: ${toError(error).message}`);
  }
}

/** Creates a function that checks whether the endpoint responds; it reuses one client. */
function createProbe(config: DynamoDBClientConfig): () => Promise<boolean> {
  const client = new DynamoDBClient({ ...config, maxAttempts: 1 });
  return () =>
    client.send(new ListTablesCommand({})).then(
      () => true,
      () => false,
    );
}

async function waitUntilReady(config: DynamoDBClientConfig, child: ChildProcess): Promise<void> {
  const answers = createProbe(config);
  for (let waited = 0; waited < 5_000 && child.exitCode === null; waited += 10) {
    if (await answers()) return;
    await pause(10);
  }
  child.stdin?.end();
  throw new StartError('The DynamoDB stand-in did not start. Its database in DATA_DIR may be damaged.');
}

/** Creates the missing tables of `tables`. */
export async function createLocalTables(config: DynamoDBClientConfig, prefix: string): Promise<void> {
  const client = new DynamoDBClient(config);
  for (const name of tableNames) {
    try {
      await client.send(createTable(prefix, name));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
  }
}

/** Builds the command that creates a table. @param isStreamed false to omit its stream */
export function createTable(prefix: string, name: TableName, { isStreamed = true } = {}): CreateTableCommand {
  const { key, indexes = {}, keysOnly = [], numbers = [], stream } = tableShape(name);
  const attributes = new Set([key, ...Object.values(indexes)].flat().filter((attribute) => attribute !== undefined));
  const schema = ([hash, range]: readonly [string, string?]) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    ...(range ? [{ AttributeName: range, KeyType: 'RANGE' as const }] : []),
  ];
  return new CreateTableCommand({
    TableName: prefix + name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schema(key),
    AttributeDefinitions: [...attributes].map((attribute) => ({
      AttributeName: attribute,
      AttributeType: numbers.includes(attribute) ? ('N' as const) : ('S' as const),
    })),
    ...(Object.keys(indexes).length > 0 && {
      GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, index]) => ({
        IndexName,
        KeySchema: schema(index),
        Projection: { ProjectionType: keysOnly.includes(IndexName) ? ('KEYS_ONLY' as const) : ('ALL' as const) },
      })),
    }),
    ...(isStreamed && stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
  });
}
