import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import type { Ids } from '../../../shared/platform/ids.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { faultyClient, type InjectedFault } from './faulty-client.ts';

const ADVERTISER = 'advertiser';
/** The publisher's attempts after 503. */
const ATTEMPTS = 5;
const CONVERSATION = {
  countryCode: 'US',
  messages: [{ role: 'user', content: 'Which running shoes should I buy for a marathon?' }],
};
/** One campaign that always has budget, and some whose budgets are exhausted within the first minute. */
const BUDGETS = [
  { budget: 100_000, maxCpb: 4 },
  { budget: 0.05, maxCpb: 4.5 },
  { budget: 0.1, maxCpb: 4.4 },
  { budget: 10, dailyBudget: 0.07, maxCpb: 4.6 },
];

interface FaultyMarketOptions {
  clock: Clock;
  ids: Ids;
  random: () => number;
  /** The share of store calls that fail, from 0 to 1. */
  faultRate: number;
  faults: readonly InjectedFault[];
  /** Use 1 with a test clock, because the pause of one message advances the clock for all. */
  deliveriesAtOnce: number;
  /** Starts the service; on stand-ins by default. */
  start?: typeof startStack;
}

export type FaultyMarket = Awaited<ReturnType<typeof startMarket>>;

/** Starts the local service with a faulty store, an advertiser with campaigns and a webhook, and publishers. */
export async function startMarket({
  clock,
  ids,
  random,
  faultRate,
  faults,
  deliveriesAtOnce,
  start = startStack,
}: FaultyMarketOptions) {
  const injected = new Map<InjectedFault, number>();
  const state = { isInjecting: false, calls: 0, late: 0 };
  const pickFault = (): InjectedFault | undefined => {
    if (!state.isInjecting) return undefined;
    state.calls++;
    if (random() >= faultRate) return undefined;
    const fault = faults[Math.floor(random() * faults.length)]!;
    injected.set(fault, (injected.get(fault) ?? 0) + 1);
    return fault;
  };

  /** The number of deliveries of each event id. */
  const received = new Map<string, number>();
  const receiver = createServer(async (request, response) => {
    const { id } = JSON.parse(await text(request));
    received.set(id, (received.get(id) ?? 0) + 1);
    response.end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');

  const settings = {
    DATA_DIR: ':memory:',
    LOG_LEVEL: 'silent',
    CAMPAIGN_REFRESH_SECONDS: '1',
    // Enough for all concurrent messages: a message without a slot would wait on the queue in real time.
    WEBHOOK_CONCURRENCY_PER_OWNER: '125',
  };
  const stack: Stack = await start(
    {
      config: readConfig(settings, true),
      clock,
      ids,
      log: createLog('silent'),
      metrics: {
        add(name) {
          if (name === 'NoBids.late') state.late++;
        },
        flush() {},
      },
      resolve: async () => [],
    },
    (client) => faultyClient(client, pickFault),
  );
  const gateway = createGateway(stack.apps);
  const url = `http://127.0.0.1:${await listen(gateway, 0, '127.0.0.1')}`;

  async function request(method: string, path: string, headers: Record<string, string>, body?: object) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null };
  }

  /** Retries 503, as a client does. */
  async function requestWithRetries(path: string, headers: Record<string, string>) {
    for (let attempt = 1; ; attempt++) {
      const answer = await request('GET', path, headers);
      if (answer.status !== 503 || attempt === ATTEMPTS) return answer;
      answers.retried++;
      await clock.sleep(100);
    }
  }

  async function create(path: string, user: string, body: object): Promise<{ id: string; key: string }> {
    const answer = await request('POST', path, { 'x-user-id': user }, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  const answers = { requested: 0, bid: 0, none: 0, unavailable: 0, other: 0, ads: 0, ended: 0, clicks: 0, retried: 0 };
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await create('/webhooks', ADVERTISER, { url: address, events: ['ad.impression', 'ad.click'] });
  const campaigns: string[] = [];
  for (const [index, budget] of BUDGETS.entries()) {
    const { id } = await create('/campaigns', ADVERTISER, {
      name: `Shoes ${index}`,
      ...budget,
      bidStrategy: 'manual',
      status: 'active',
      targetAudience: { keywords: ['running shoes', 'marathon'] },
      creative: { headline: 'Run further', landingUrl: 'https://shoes.example/buy' },
    });
    campaigns.push(id);
  }

  return {
    stack,
    clock,
    campaigns,
    received,
    injected,
    state,
    answers,

    publisher: async (): Promise<string> => (await create('/auth/api-keys', 'publisher', { name: 'Key' })).key,

    /** One conversation: a bid, its ad, and a click. */
    async visit(key: string): Promise<void> {
      const headers = { 'x-api-key': key };
      answers.requested++;
      const { status, body: bid } = await request('POST', '/ssp/bid', headers, CONVERSATION);
      if (status === 503) return void answers.unavailable++;
      if (status !== 200) return void answers.other++;
      if (!bid) return void answers.none++;
      answers.bid++;
      const ad = await requestWithRetries(`/ssp/ad/${bid.bidId}`, headers);
      if (ad.status === 200) answers.ads++;
      else if (ad.status === 404)
        return void answers.ended++; // the budget was exhausted after the bid
      else if (ad.status === 503) return void answers.unavailable++;
      else return void answers.other++;
      const click = await requestWithRetries(`/click/${bid.bidId}`, { 'user-agent': 'Firefox' });
      if (click.status === 302) answers.clicks++;
      else if (click.status === 503) answers.unavailable++;
      else answers.other++;
    },

    /** Processes the streams and the queue until both are empty or the time is over. */
    async drain(isOver: () => boolean = () => false): Promise<void> {
      const receiveAll = async () => {
        while (!isOver() && (await stack.receive()) > 0);
      };
      while ((await stack.drainStreams()) > 0 && !isOver());
      await Promise.all(Array.from({ length: deliveriesAtOnce }, receiveAll));
    },

    async stop() {
      gateway.close();
      gateway.closeAllConnections();
      receiver.closeAllConnections();
      receiver.close();
      await stack.stop();
    },
  };
}
