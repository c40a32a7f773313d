import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand, StartError } from '../../../infra/local/command.ts';
import { startDynamoDb } from '../../../infra/local/dynamodb.ts';
import { serve } from '../../../infra/local/serve.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import { freePort, useChildProcesses } from '../../child-process.ts';
import { startReceiver } from '../../receiver.ts';
import { NOT_LOOPBACK, takesConnections } from './reach.ts';

const runProgram = useChildProcesses();
const dynoxideBin = process.env.DYNOXIDE_BIN;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'ads-'));
  folders.push(folder);
  return folder;
};

/** Starts `npm start` as a process. */
const start = (settings: Record<string, string>) =>
  runProgram(process.execPath, ['infra/local/start.ts'], { LOG_LEVEL: 'warn', ...settings });

async function started(settings: Record<string, string>) {
  const program = start(settings);
  await program.waitForOutput(/# 4\./);
  return program;
}

/** The output of a shell that runs these lines. */
const inShell = async (script: string) => (await promisify(execFile)('bash', ['-c', script])).stdout;

/** The output of the curl commands that `npm start` prints, pasted into one shell. */
const paste = (output: string) =>
  inShell(
    output
      .split('\n')
      .filter((line) => /^(BID=|AD=|curl |sleep )/.test(line))
      .join('\necho\n'),
  );

/** Retries until a bid succeeds: on a machine busy with other tests, any bid may time out. */
async function warm(output: string) {
  const line = output.split('\n').find((one) => one.startsWith('BID='))!;
  while (!(await inShell(line)).includes('"bid":'));
}

/** The pause in the last command. Tests poll instead. */
const WAIT = /^sleep 2; /m;

/** The campaign that the last command shows, after its click is counted. */
async function clicked(output: string) {
  const lastLine = output
    .split('\n')
    .findLast((line) => WAIT.test(line))!
    .replace(WAIT, '');
  for (;;) {
    const campaign = JSON.parse(await inShell(lastLine));
    if (campaign.performance?.clicks > 0) return campaign; // on a busy machine, requests may time out
  }
}

describe('npm start', () => {
  it('prints working curl commands, keeps data across restarts, listens on HOST, delivers events locally, and leaves no process behind when killed', {
    timeout: 300_000,
  }, async () => {
    const settings = { PORT: String(await freePort()), DATA_DIR: createFolder() };
    const first = await started(settings);
    await warm(first.output);
    const output = await paste(first.output);
    expect(output).toMatch(/"bid":4\.25,"bidId":"[0-9a-f-]{36}"/);
    expect(output).toMatch(/"adText":"Shoes that forgive long runs/);
    expect(output).toMatch(/HTTP\/1\.1 302 Found/);
    expect(output).toMatch(/location: https:\/\/fleet-feet\.example\/shoes\?source=assistant&click_id=clk_/);
    expect(output).toMatch(/"spentBudget":/);
    const spent = { spentBudget: 0.00425, performance: { impressions: 1, clicks: 1 } };
    expect(await clicked(first.output)).toMatchObject(spent);

    const steps = first.output.slice(0, first.output.indexOf('The ad service runs')).match(/^[A-Z].* …$/gm);
    expect(steps).toEqual([
      'Loading the service …',
      'Building the web app …',
      'Starting the stand-ins for DynamoDB and SQS, and loading the functions …',
      'Adding the demo campaigns if they are missing …',
      'Warming up with trial bids …',
    ]);

    for (const host of NOT_LOOPBACK) expect(await takesConnections(host, Number(settings.PORT)), host).toBe(false);

    expect(await first.interrupt()).toBe(0);
    const port = Number(settings.PORT);
    const second = await started({ ...settings, HOST: '0.0.0.0', DEMO_DATA: 'true', WEBHOOK_ALLOW_LOCAL: 'true' });
    expect(second.output).toContain(`runs at http://localhost:${port} `);
    for (const host of ['127.0.0.1', '127.0.0.2']) expect(await takesConnections(host, port), host).toBe(true);
    expect(await clicked(second.output)).toMatchObject(spent);

    const receiver = await startReceiver(undefined, { host: '127.0.0.1' });
    const registered = await fetch(`http://localhost:${port}/api/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-user-id': 'demo-advertiser', 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `http://localhost:${receiver.port}/`,
        events: ['ad.impression', 'ad.click'],
      }),
    });
    expect(registered.status).toBe(201);
    await warm(second.output);
    const [, bidId] = /"bidId":"([^"]+)"/.exec(await paste(second.output.replace(WAIT, '')))!;
    // Events of the first start may still be in flight when the second one starts.
    const events = () =>
      receiver.requests.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.ad_id === bidId);
    const types = () => events().map(({ type }) => type);
    await expect.poll(() => types().sort()).toEqual(['ad.click', 'ad.impression']);

    const isAlive = async () => (await inShell('ps -eo args')).includes(`${settings.DATA_DIR}/dynamodb.sqlite`);
    expect(await isAlive()).toBe(true);
    second.child.kill('SIGKILL');
    await expect.poll(isAlive).toBe(false);
  });

  it('revokes the demo key and rejects local receivers if HOST opens it to the network', async () => {
    const settings = { PORT: String(await freePort()), DATA_DIR: createFolder() };
    const url = `http://localhost:${settings.PORT}`;
    const statusOf = async (key: string) =>
      (await fetch(`${url}/api/v1/ssp/ad/00000000-0000-4000-8000-000000000000`, { headers: { 'x-api-key': key } }))
        .status;
    const first = await started(settings);
    const [, key = ''] = /X-API-Key: (ak_live_\w+)/.exec(first.output)!;
    expect(await statusOf(key)).toBe(404);
    await first.interrupt();

    const open = start({ ...settings, HOST: '0.0.0.0' });
    await open.waitForOutput(/KEY=/);
    expect(open.output).not.toContain(key);
    expect(open.output).toContain('"demoData":false,"webhookAllowLocal":false');
    expect(await statusOf(key)).toBe(401);
    expect(await (await fetch(`${url}/assets/settings.json`)).json()).toMatchObject({ demo: null });
    const registered = await fetch(`${url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-user-id': 'me', 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://localhost:9/', events: ['ad.click'] }),
    });
    expect(registered.status).toBe(400);
    await open.interrupt();

    const again = await started(settings);
    expect(await statusOf(key)).toBe(404);
    await again.interrupt();
  });

  it('denies other users of the machine access to its data folder', async () => {
    const settings = { PORT: String(await freePort()), DATA_DIR: join(createFolder(), 'data') };
    const modeAfterStart = async () => {
      const program = await started(settings);
      const { mode } = statSync(settings.DATA_DIR);
      await program.interrupt();
      return mode & 0o777;
    };
    expect(await modeAfterStart()).toBe(0o700);
    chmodSync(settings.DATA_DIR, 0o755); // as earlier versions created it
    expect(await modeAfterStart()).toBe(0o700);
  });

  it('denies others access to the folder of its queues if the database is elsewhere', async () => {
    const database = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin });
    const dataDir = createFolder();
    chmodSync(dataDir, 0o777);
    await startDynamoDb({ dataDir, dynamoDbEndpoint: String(database.client.endpoint), dynoxideBin });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    await database.stop();
  });

  it('stops on SIGINT, SIGTERM, and SIGHUP', async () => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const last = () => signals.map((signal) => process.listeners(signal).at(-1));
    const before = last();
    const ended: unknown[] = [];
    await runCommand(async () => async (signal?: unknown) => void ended.push(signal));
    for (const [at, listener] of last().entries()) {
      const signal = signals[at]!;
      expect(listener).not.toBe(before[at]);
      process.off(signal, listener!);
      listener!(signal);
    }
    expect(ended).toEqual(signals);
  });
});

// Concurrent, because these tests are independent and have no deadline.
describe.concurrent('npm start with an error', () => {
  it('reports in one line that its port is in use', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const settings = {
      PORT: String(port),
      DATA_DIR: ':memory:',
      LOG_LEVEL: 'silent',
      DYNOXIDE_BIN: process.env.DYNOXIDE_BIN,
    };
    const refused = serve(readConfig(settings, true));
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(new RegExp(`^PORT=${port} is in use: .*$`));
    server.close();
  });

  it.each([
    [
      'its data folder cannot be used',
      /^DATA_DIR=.*file cannot be used: .*$/,
      (dataDir: string) => {
        writeFileSync(join(dataDir, 'file'), '');
        return { dataDir: join(dataDir, 'file') };
      },
    ],
    [
      'its data folder belongs to all',
      /^DATA_DIR=.* cannot be used: all users of this machine share it; choose a folder inside it$/,
      (dataDir: string) => {
        chmodSync(dataDir, 0o1777);
        return { dataDir };
      },
    ],
    [
      'its database is damaged',
      /^The DynamoDB stand-in did not start\. .*$/,
      (dataDir: string) => {
        writeFileSync(join(dataDir, 'dynamodb.sqlite'), 'this is no database '.repeat(500));
        return { dataDir };
      },
    ],
    [
      'the stand-in is missing, and how to get it',
      /^The DynamoDB stand-in is missing .*npm install.*$/,
      () => ({ dataDir: ':memory:', dynoxideBin: '/nowhere/dynoxide' }),
    ],
  ])('reports in one line that %s', async (_, line, settings) => {
    const refused = startDynamoDb({ dynamoDbEndpoint: undefined, dynoxideBin: undefined, ...settings(createFolder()) });
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(line);
  });

  it('reports it in one line before any test runs', async () => {
    const env = { ...process.env, DYNOXIDE_BIN: '/nowhere/dynoxide', AWS_ENDPOINT_URL_DYNAMODB: '' };
    const setUp = ['--input-type=module', '-e', "(await import('./test/check-dynamodb.ts')).default()"];
    const { code, stderr } = await promisify(execFile)(process.execPath, setUp, { env }).then(
      () => ({ code: 0, stderr: '' }),
      (error) => error,
    );
    expect([code, stderr.trim()]).toEqual([
      1,
      expect.stringMatching(/^The DynamoDB stand-in is missing .*npm install.*docker run.*$/),
    ]);
  });

  it('reports an invalid setting in one line', async () => {
    const program = start({ PORT: 'eighty' });
    expect(await program.exitCode).toBe(1);
    expect(program.output.trim()).toBe('PORT=eighty: must be a port');
  });
});
