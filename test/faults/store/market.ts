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
import { faultyClient, type InjectedFault } from './faulty.ts';

const ADVERTISER = 'advertiser';
/** The publisher asks again so often when it is told to. */
const ATTEMPTS = 5;
const CONVERSATION = {
  countryCode: 'US',
  messages: [{ role: 'user', content: 'Which running shoes should I buy for a marathon?' }],
};
/** One that always has money, and some whose budgets end within the first minute. */
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
  /** The part of all calls of the store that meet trouble, and which. */
  refuse: number;
  troubles: readonly InjectedFault[];
  /** Several messages at a time pass a clock of tests too much time: each pause of one is a pause of all. */
  deliveriesAtOnce: number;
  /** How the service is started: on stand-ins, unless told. */
  start?: typeof startStack;
}

export type FaultyMarket = Awaited<ReturnType<typeof startMarket>>;

/** The local service with its stand-ins, a store that makes trouble on demand, an advertiser who listens to its events, and publishers. */
export async function startMarket({
  clock,
  ids,
  random,
  refuse,
  troubles,
  deliveriesAtOnce,
  start = startStack,
}: FaultyMarketOptions) {
  const injected = new Map<InjectedFault, number>();
  const state = { isTroubled: false, calls: 0, late: 0 };
  const pickFault = (): InjectedFault | undefined => {
    if (!state.isTroubled) return undefined;
    state.calls++;
    if (random() >= refuse) return undefined;
    const trouble = troubles[Math.floor(random() * troubles.length)]!;
    injected.set(trouble, (injected.get(trouble) ?? 0) + 1);
    return trouble;
  };

  /** Ids of the events that came, and how often each. */
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
    // Room for all that is received at once: what waits for a slot waits in the queue, by the machine's own clock.
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

  async function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const given = await response.text();
    return { status: response.status, body: given ? JSON.parse(given) : null };
  }

  /** As a client does that is told to come again. */
  async function insist(path: string, headers: Record<string, string>) {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask('GET', path, headers);
      if (answer.status !== 503 || attempt === ATTEMPTS) return answer;
      answers.again++;
      await clock.sleep(100);
    }
  }

  async function made(path: string, user: string, body: object): Promise<{ id: string; key: string }> {
    const answer = await ask('POST', path, { 'x-user-id': user }, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  const answers = { asked: 0, bid: 0, none: 0, unavailable: 0, other: 0, ads: 0, ended: 0, clicks: 0, again: 0 };
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await made('/webhooks', ADVERTISER, { url: address, events: ['ad.impression', 'ad.click'] });
  const campaigns: string[] = [];
  for (const [index, budget] of BUDGETS.entries()) {
    const { id } = await made('/campaigns', ADVERTISER, {
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

    publisher: async (): Promise<string> => (await made('/auth/api-keys', 'publisher', { name: 'Key' })).key,

    /** A conversation: a bid for it, its ad, and a click. */
    async visit(key: string): Promise<void> {
      const headers = { 'x-api-key': key };
      answers.asked++;
      const { status, body: bid } = await ask('POST', '/ssp/bid', headers, CONVERSATION);
      if (status === 503) return void answers.unavailable++;
      if (status !== 200) return void answers.other++;
      if (!bid) return void answers.none++;
      answers.bid++;
      const ad = await insist(`/ssp/ad/${bid.bidId}`, headers);
      if (ad.status === 200) answers.ads++;
      else if (ad.status === 404)
        return void answers.ended++; // its campaign's budget was used up meanwhile
      else if (ad.status === 503) return void answers.unavailable++;
      else return void answers.other++;
      const click = await insist(`/click/${bid.bidId}`, { 'user-agent': 'Firefox' });
      if (click.status === 302) answers.clicks++;
      else if (click.status === 503) answers.unavailable++;
      else answers.other++;
    },

    /** Hands on what the streams and the queue hold, several messages at a time, until nothing is left or the time is up. */
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
