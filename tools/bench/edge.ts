import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bundle, bundleFolder } from '../../infra/bundle.ts';
import { bundleEdge, EDGE_BUILD, EDGE_FILES } from '../../infra/edge/bundle.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { listen } from '../../infra/local/gateway.ts';
import { machineEffects } from '../../infra/local/machine.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { keysOf } from '../../shared/values/typed.ts';
import { median } from '../median.ts';
import { memory } from './edge-memory.ts';
import { startUp } from './edge-start.ts';
import { cpuMs, startWorkerd } from './workerd.ts';

const PREFIX = 'ads-';
const OPERATIONS = { bid: 'ssp/bid', ad: 'ssp/ad', click: 'click/redirect' } as const;
type Step = keyof typeof OPERATIONS;
/** Turns, the first of which only warm up; each is so many requests. */
const TURNS = 9;
const COLD_TURNS = 3;
const REQUESTS = 100;
/** What is bid, won and clicked again and again does not expire meanwhile. */
const BID_TTL_SECONDS = '3600';
const DELAY_MS = 200;
const DELAYED_REQUESTS = 15;

type Send = (step: Step) => Promise<void>;

/**
 * `npm run bench:edge`: processor time of a bid, an ad and a click in workerd and in the Lambda bundle under Node, read from outside,
 * by turns, with a store that answers at once; how long they take where the store is 200 ms away; what is deployed weighs; what a start
 * takes with 1,000 and 30,000 campaigns, and what conversations without end take of memory.
 * Linux alone.
 */
async function bench(): Promise<void> {
  const ends: (() => unknown)[] = [];
  try {
    const store = await startReplay(ends);
    await bundle();
    await bundleEdge();
    const edge = await startWorker(store, ends);
    const lambda = await startLambda(store, ends);
    const far = await startWorker(await startFarStore(store, ends), ends);
    for (const { send } of [edge, lambda, far]) for (const step of steps) await answered(() => send(step));
    await fetch(`${store}/replay`);
    await cpuByTurns({ workerd: edge, 'Lambda bundle under Node': lambda });
    await latency(edge, far);
    weights();
    await startUp(ends);
    await memory(ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const steps = keysOf(OPERATIONS);

async function startReplay(ends: (() => unknown)[]): Promise<string> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  ends.push(() => dynamoDb.stop());
  await createLocalTables(dynamoDb.client, PREFIX);
  const effects = machineEffects(readConfig({ BID_TTL_SECONDS }, true), createLog('silent'));
  await seedFixtures({ ...effects, db: openDatabase({ prefix: PREFIX, ...effects, client: dynamoDb.client }) });
  return addressOf(run(['tools/bench/replay.ts', String(dynamoDb.client.endpoint)], process.env, ends));
}

function run(args: string[], env: NodeJS.ProcessEnv, ends: (() => unknown)[]): ChildProcess {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  ends.push(() => child.kill());
  return child;
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  const [line] = await once(stdout!, 'data');
  return String(line).trim();
}

async function startLambda(store: string, ends: (() => unknown)[]) {
  const child = run(
    ['tools/bench/lambda-host.ts', ...Object.values(OPERATIONS)],
    lambdaEnvironment(store, PREFIX),
    ends,
  );
  const url = await addressOf(child);
  return {
    pid: child.pid!,
    send: async (step: Step) => check(step, await fetch(`${url}/${OPERATIONS[step]}`, { redirect: 'manual' })),
  };
}

async function startWorker(store: string, ends: (() => unknown)[]) {
  const bindings = { ...lambdaEnvironment(store, PREFIX), ORIGIN_URL: 'http://127.0.0.1:1' };
  const { pid, url, stop } = await startWorkerd({ bindings });
  ends.push(stop);
  const send: Send = async (step) => {
    const event = JSON.parse(readFileSync(`events/${OPERATIONS[step]}.json`, 'utf8'));
    const { method, path } = event.requestContext.http;
    const request = { method, headers: event.headers, body: event.body, redirect: 'manual' } as const;
    await check(step, await fetch(`${url}${path}`, request));
  };
  return { pid, send };
}

async function check(step: Step, response: Response): Promise<void> {
  const text = await response.text();
  if (response.status >= 400 || text === 'null') throw new Error(`${step}: ${response.status} ${text}`);
}

/** An instance that has just begun does not know its campaigns yet: its first bids may be none. */
async function answered(act: () => Promise<void>): Promise<void> {
  for (let left = 50; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 0) throw error;
      await pause(100);
    }
  }
}

interface Subject {
  pid: number;
  send: Send;
}

/** Processor milliseconds a request, of each subject in turn; ratios are to the last of them. */
async function cpuByTurns(subjects: Record<string, Subject>): Promise<void> {
  const used = async ({ pid, send }: Subject, step: Step) => {
    const before = cpuMs(pid);
    for (let request = 0; request < REQUESTS; request++) await send(step);
    return (cpuMs(pid) - before) / REQUESTS;
  };
  const names = Object.keys(subjects);
  console.log(
    `processor ms a request, HTTP included, and its ratio to the last (medians of ${TURNS - COLD_TURNS} turns)`,
  );
  console.log(['', ...names].map((name) => name.padStart(26)).join(''));
  for (const step of steps) {
    const turns: number[][] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const figures: number[] = [];
      for (const name of names) figures.push(await used(subjects[name]!, step));
      turns.push(figures);
    }
    const kept = turns.slice(COLD_TURNS);
    const cells = names.map((_, at) => {
      const ratio = median(kept.map((turn) => turn[at]! / turn.at(-1)!));
      return `${median(kept.map((turn) => turn[at]!)).toFixed(2)} (${ratio.toFixed(2)})`;
    });
    console.log([step, ...cells].map((cell) => cell.padStart(26)).join(''));
  }
}

/** The same store, so far away. */
async function startFarStore(store: string, ends: (() => unknown)[]): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    await pause(DELAY_MS);
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const body = Buffer.concat(chunks);
    const answer = await fetch(store, { method: 'POST', headers: headers as Record<string, string>, body });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${await listen(server, 0)}`;
}

async function latency(near: Subject, far: Subject): Promise<void> {
  const took = async ({ send }: Subject, step: Step) => {
    await answered(() => send(step)); // which has had nothing to do for minutes, and looks for news of the campaigns first
    const times: number[] = [];
    for (let request = 0; request < DELAYED_REQUESTS; request++) {
      const before = performance.now();
      await send(step);
      times.push(performance.now() - before);
    }
    return median(times);
  };
  console.log(`\nms to an answer   store near   store ${DELAY_MS} ms away   (medians)`);
  for (const step of steps) {
    const [here, there] = [await took(near, step), await took(far, step)];
    console.log(step.padEnd(14), here.toFixed(0).padStart(12), there.toFixed(0).padStart(16));
  }
}

function weights(): void {
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`.padStart(8);
  const weigh = (path: string) =>
    `${kilobytes(statSync(path).size)}, gzipped ${kilobytes(gzipSync(readFileSync(path)).length)}`;
  console.log('\nwhat is deployed');
  for (const file of Object.values(EDGE_FILES)) console.log(`Worker ${file}`.padEnd(24), weigh(join(EDGE_BUILD, file)));
  for (const name of Object.values(OPERATIONS))
    console.log(`Lambda ${name}`.padEnd(24), weigh(`${bundleFolder(name)}/index.mjs`));
}

await bench();
