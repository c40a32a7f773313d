import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { localBindings } from '../../../infra/edge/bindings.ts';
import { bundleEdge } from '../../../infra/edge/bundle.ts';
import { startEdge } from '../../../infra/edge/runtime.ts';
import { seedFixtures } from '../../../infra/local/fixtures.ts';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { machineEffects } from '../../../infra/local/machine.ts';
import { demoKey } from '../../../infra/local/seed.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { keyFingerprint } from '../../../shared/api-keys/key.ts';
import { emptyWindows } from '../../../shared/api-keys/window.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { keysOf } from '../../../shared/values/typed.ts';
import { exchange, type WireAnswer } from '../../contract/exchange.ts';
import { noEdge } from './no-edge.ts';

export const BIDS = '/api/v1/ssp/bid';
export const CONVERSATION = {
  countryCode: 'US',
  messages: [{ role: 'user', content: 'Which running shoes should I buy for a marathon?' }],
};

/** What Cloudflare and API Gateway answer for an origin that they do not reach. */
const GONE = {
  '522': { type: 'text/html', text: '<title>522: Connection timed out</title>' },
  '503': { type: 'application/json', text: '{"message":"Service Unavailable"}' },
} as const;

/** What a store says that is asked too much, and one that does not know the access key. */
const STORE_ERRORS = {
  throttled: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  refusing: 'com.amazon.coral.service#UnrecognizedClientException',
} as const;

/** How long a call of what is far away takes more. */
const FAR_MS = 60;

/** What stands between the Worker and something else: lets all through, at once or after some time, answers nothing for a while, refuses, hangs up, answers what nobody can unpack, or says for what is behind it that it is gone. */
interface Between {
  port: number;
  trouble: 'none' | 'far' | 'slow' | 'gone' | 'garbled' | keyof typeof STORE_ERRORS | keyof typeof GONE;
  /** What came through, as it came, and its bodies. */
  seen: IncomingMessage[];
  bodies: string[];
  /** How many connections were made to it. */
  connections: number;
  server: Server;
}

async function startBetween(target: URL): Promise<Between> {
  const between: Between = {
    port: 0,
    trouble: 'none',
    seen: [],
    bodies: [],
    connections: 0,
    server: createServer({ keepAliveTimeout: 0 }, (one, other) => act(one, other)),
  };
  between.server.on('connection', () => between.connections++);
  function act(incoming: IncomingMessage, outgoing: ServerResponse): void {
    between.seen.push(incoming);
    if (between.trouble === 'far') setTimeout(answer, FAR_MS, incoming, outgoing);
    else answer(incoming, outgoing);
  }
  function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (between.trouble === 'gone') return void incoming.socket.destroy();
    if (between.trouble === 'slow') return; // its connection ends with the attempt
    if (between.trouble === 'garbled') {
      outgoing.writeHead(200, { 'content-encoding': 'gzip' });
      return void outgoing.end('not packed');
    }
    if (between.trouble === 'throttled' || between.trouble === 'refusing') {
      outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      return void outgoing.end(JSON.stringify({ __type: STORE_ERRORS[between.trouble], message: 'no' }));
    }
    if (between.trouble === '522' || between.trouble === '503') {
      const { type, text } = GONE[between.trouble];
      outgoing.writeHead(Number(between.trouble), { 'content-type': type });
      return void outgoing.end(text);
    }
    const { method, url, headers } = incoming;
    const onward = request({ host: target.hostname, port: target.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.once('end', () => between.bodies.push(Buffer.concat(parts).toString()));
    incoming.pipe(onward);
  }
  between.port = await listen(between.server, 0);
  return between;
}

type Options = Parameters<typeof startEdge>[0];

/** One service on real time and one Worker in front of it, for a whole test file. */
export function useEdge(settings: Record<string, string> = {}) {
  const lines: string[] = [];
  const edge = {} as {
    stack: Stack;
    store: Between;
    origin: Between;
    port: number;
    /** What the Worker logged. */
    lines: string[];
    /** A Worker of its own in front of the same service; of other files than those that were built, or with a cache that stays, if told. */
    another(settings: Record<string, string>, more?: Pick<Options, 'modules' | 'storage'>): Promise<number>;
    /** What went into the Worker. */
    built: Metafile;
  };
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    edge.built = await bundleEdge();
    if (noEdge) return;
    const config = readConfig({ DATA_DIR: ':memory:', LOG_LEVEL: 'silent' }, true);
    const stack = await startStack(machineEffects(config, createLog('silent')));
    ends.push(() => stack.stop());
    await seedFixtures(stack.effects);
    const gateway = createGateway(stack.apps);
    const store = await startBetween(new URL(String(stack.client.endpoint)));
    const origin = await startBetween(new URL(`http://127.0.0.1:${await listen(gateway, 0)}`));
    for (const server of [gateway, store.server, origin.server]) {
      ends.push(() => {
        server.close();
        server.closeAllConnections();
      });
    }
    const another: typeof edge.another = async (more, options) => {
      const bindings = {
        ...localBindings(config, { ...stack.client, endpoint: `http://127.0.0.1:${store.port}` }, origin.port),
        LOG_LEVEL: 'info',
        CAMPAIGN_REFRESH_SECONDS: '1',
        ...more,
      };
      const { url, stop } = await startEdge({ ...options, bindings, write: (line) => lines.push(line) });
      ends.push(stop);
      return Number(new URL(url).port);
    };
    Object.assign(edge, { stack, store, origin, lines, another, port: await another(settings) });
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return edge;
}

export const jsonHeaders = { 'x-api-key': demoKey(), 'content-type': 'application/json' };

export const bidFrom = (port: number, body: unknown = CONVERSATION): Promise<WireAnswer> =>
  exchange({ method: 'POST', target: BIDS, headers: jsonHeaders, body: JSON.stringify(body) }, port);

export const getFrom = (port: number, target: string, headers: Record<string, string> = {}): Promise<WireAnswer> =>
  exchange({ method: 'GET', target, headers: { 'x-api-key': demoKey(), ...headers }, body: undefined }, port);

/** Bids until the Worker itself answers: before that it learns the campaigns, and the origin bids. */
export async function bidAtEdge(port: number): Promise<WireAnswer> {
  for (;;) {
    const answer = await bidFrom(port);
    if (answer.headers['x-runtime'] === 'edge' && answer.status === 200) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Gives the demo's key its whole limit back: what is compared here is not how many requests there were. */
export const restKey = ({ effects: { db } }: Stack) =>
  db.write({
    table: 'api-keys',
    key: { id: keyFingerprint(demoKey()) },
    update: `SET ${keysOf(emptyWindows)
      .map((slot) => `#${slot} = :none`)
      .join(', ')}`,
    values: { none: 0 },
  });
