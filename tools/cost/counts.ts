import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { getPort } from '../../infra/local/port.ts';
import { DEMO_ADVERTISER, seed } from '../../infra/local/seed.ts';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import { WINDOW_SIZE } from '../../shared/keys/sliding-window.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { patientClock } from '../patient-clock.ts';
import { type BreakdownCounts, measureShared, toAloneTermUnits, toAloneUnits } from './breakdowns.ts';
import { bidWithKeys, call, changeDemoCampaign, createKeys, gatewayEvent, REFRESH_MS } from './call.ts';
import { type ConversationCounts, measureConversations } from './conversation.ts';
import { type ExchangeCounts, measureExchange } from './exchange.ts';
import { BIDS_PER_KEY, toReportUse, withoutReport } from './key-reports.ts';
import { startMeter } from './meter.ts';
import { add, divide, itemBytes, type MeasuredStack, multiply, NO_USE, type TableUse } from './table-use.ts';
import { measureTrustedMatch, type TrustedMatchCounts } from './trusted-match.ts';

/** A bid includes its share of refreshes and of its key's report. An ad and a click include workers. */
export type Step = 'bid' | 'ad' | 'click' | 'delivery';

export type Counts = Readonly<Record<Step, TableUse>> & {
  /** Steps that share nothing: alone in a batch, with an update of spend stats; the first delivery to a receiver in a minute. */
  alone: Readonly<Record<Step, TableUse>>;
  /** The request for an ad with a creative of maximum size, without workers. */
  richAd: TableUse;
  /** Stored bytes per served ad. */
  recordBytes: number;
  /** Additional table use for the figures of one key in the list of keys. */
  figuresOfKey: TableUse;
  /** The same with OpenRTB. */
  exchange: ExchangeCounts;
  trustedMatch: TrustedMatchCounts;
  conversation: ConversationCounts;
  breakdowns: BreakdownCounts;
  terms: BreakdownCounts;
};

/**
 * Batch sizes for a campaign with ten wins per second and a CTR of 2 %. Ads are counted together by the second; fan-out gets half of them,
 * because it processes two batches of a shard concurrently. Clicks are counted by the minute. Assumes that a receive returns half of the
 * messages sent together. For reports: seven keys at their limit, about a hundred bids per second in total. Their bids, ads, and clicks
 * cause one write, plus one per key every minute.
 */
export const BATCH_SIZES = {
  adsInBatch: 10,
  adsInFanOut: 5,
  deliveriesInRun: 2.5,
  clicksInMinute: 12,
  keys: 7,
  bidsOfKey: BIDS_PER_KEY,
} as const;

/** The largest creative that the API accepts. */
const RICH_CREATIVE = {
  headline: 'ü'.repeat(200),
  description: 'ü'.repeat(1_000),
  callToAction: 'ü'.repeat(50),
  landingUrl: `https://fleet-feet.example/${'l'.repeat(2_000)}`,
  imageUrl: `https://fleet-feet.example/${'i'.repeat(2_000)}`,
  videoUrl: `https://fleet-feet.example/${'v'.repeat(2_000)}`,
  thumbnailUrl: `https://fleet-feet.example/${'t'.repeat(2_000)}`,
};

const PLAIN_CREATIVE = {
  headline: 'Shoes',
  landingUrl: 'https://fleet-feet.example/',
  callToAction: '',
  description: '',
};

/** Bytes of the timestamp that CloudWatch adds to a line. */
const TIMESTAMP_BYTES = '"timestamp":"2026-11-20T09:00:00.000Z",\n'.length;
/** A refresh reads changes since the last one, with a margin. After this time without changes, it reads none. */
const QUIET_MS = 60_000;

/** The diagnostics channel on which Node publishes requests to servers of this process, such as the stand-in of the queue. */
const REQUESTS = 'http.server.request.start';

/** Measures every step in the life of a bid, on separate stand-ins. */
export async function measureCounts(): Promise<Counts> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  const meter = await startMeter(String(dynamoDb.client.endpoint));
  const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  let now = Date.now(); // a manual clock, independent of the load of the machine
  let logBytes = 0;
  let queueRequests = 0;
  const countRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (String(request.headers['x-amz-target']).startsWith('AmazonSQS.')) queueRequests++;
  };
  subscribe(REQUESTS, countRequest);
  const stack = await startStack({
    config: readConfig(
      { DATA_DIR: ':memory:', AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint, CAMPAIGN_REFRESH_SECONDS: '1' },
      true,
    ),
    clock: { ...patientClock, now: () => now },
    ids: systemIds,
    log: createLog('info', (line) => {
      logBytes += line.length + TIMESTAMP_BYTES;
    }),
    metrics: noMetrics,
    resolve: async () => [],
  });

  async function use(act: () => Promise<unknown>): Promise<TableUse> {
    meter.read();
    logBytes = 0;
    queueRequests = 0;
    await act();
    return { ...meter.read(), logBytes, queueRequests };
  }

  try {
    const { campaigns } = await seed(stack.effects);
    await listenTo(receiver, stack);
    await stack.drain();
    for (const ms of [QUIET_MS, QUIET_MS, REFRESH_MS]) {
      await call(stack, 'ssp/bid'); // reads all campaigns, then changes within the margin, then the settings of the key again
      now += ms;
    }

    const wait = (ms: number) => {
      now += ms;
    };
    return await measureSteps({ stack, campaignId: campaigns[0]!.id, use, wait });
  } finally {
    unsubscribe(REQUESTS, countRequest);
    await stack.stop();
    receiver.close();
    meter.stop();
    await dynamoDb.stop();
  }
}

interface Measuring extends MeasuredStack {
  /** The campaign that wins. */
  campaignId: string;
}

async function measureSteps({ stack, campaignId, use, wait }: Measuring): Promise<Counts> {
  const change = (body: object) => changeDemoCampaign(stack, campaignId, body);
  let bidId = '';
  const makeBid = async () => {
    ({ bidId } = JSON.parse(await call(stack, 'ssp/bid')));
  };
  const getAd = () => call(stack, 'ssp/ad', { pathParameters: { bidId } });
  const click = async (sourceIp = '203.0.113.7') => {
    const { requestContext } = gatewayEvent('click/redirect');
    await call(stack, 'click/redirect', {
      pathParameters: { trackingId: bidId },
      requestContext: { ...requestContext, http: { ...requestContext.http, sourceIp } },
    });
    await stack.drainStreams();
  };
  /** Serves ads whose records share a batch, and runs the workers that follow. */
  const serve = async (count: number) => {
    let request: TableUse = NO_USE;
    for (let n = 0; n < count; n++) {
      wait(Math.ceil(1_000 / WINDOW_SIZE)); // stay within the limit of the key
      await makeBid();
      request = add(request, await use(getAd));
    }
    return { request, after: await use(stack.drainStreams) };
  };
  /** Delivers the events of this many ads in one run. */
  const deliver = async (count: number) => {
    await serve(count);
    return use(stack.receive);
  };

  await serve(1); // the first update of spend stats costs less than later ones
  await stack.receive();
  wait(MINUTE_MS);
  await makeBid();
  wait(REFRESH_MS);
  const bid = await use(makeBid);
  const afterBid = await use(stack.drainStreams);
  const keys = await createKeys(stack, BATCH_SIZES.keys);
  await bidWithKeys(stack, keys, 1); // a key's first bid of a day takes one write more
  await stack.drainStreams();
  wait(REFRESH_MS);
  await bidWithKeys(stack, keys, BATCH_SIZES.bidsOfKey);
  const reported = toReportUse(await use(stack.drainStreams), BATCH_SIZES.keys * BATCH_SIZES.bidsOfKey);
  await change({ dailyBudget: 0.4 }); // an ad costs a hundredth of it, so spend stats are updated
  const lone = await serve(1);
  const firstDelivery = await use(stack.receive);
  const record = await stack.effects.db.get('bids', { id: bidId });
  const delivery = divide(add(await deliver(2), await deliver(3)), 2 * BATCH_SIZES.deliveriesInRun);
  await change({ dailyBudget: 4 }); // a second of wins costs a hundredth of it
  let ads: TableUse = NO_USE;
  let sends = 0;
  for (let n = 0; n < BATCH_SIZES.adsInBatch; n += BATCH_SIZES.adsInFanOut) {
    const { request, after } = await serve(BATCH_SIZES.adsInFanOut);
    ads = add(ads, add(request, after));
    sends += after.queueRequests / BATCH_SIZES.adsInBatch;
  }
  wait(MINUTE_MS);
  const toldClick = await use(() => click());
  await serve(1);
  // A click at once after its ad, or from the same address as the last, is counted in another way.
  wait(1_000);
  const untoldClick = await use(() => click('198.51.100.7'));
  const protocols = await measureProtocols({ stack, use, wait }, () => change({ creative: PLAIN_CREATIVE }));
  await change({ creative: RICH_CREATIVE });
  await makeBid();
  const richAd = await use(getAd);
  const figuresOfKey = await measureFigures({ stack, use, wait });
  const shared = await measureShared({ stack, use, wait });
  const clicks = add(toldClick, multiply(untoldClick, BATCH_SIZES.clicksInMinute - 1));
  return {
    bid: add(bid, reported),
    ad: withoutReport(divide(ads, BATCH_SIZES.adsInBatch)),
    click: withoutReport(divide(clicks, BATCH_SIZES.clicksInMinute)),
    delivery: { ...delivery, queueRequests: delivery.queueRequests + sends },
    alone: { bid: add(bid, afterBid), ad: add(lone.request, lone.after), click: toldClick, delivery: firstDelivery },
    richAd,
    recordBytes: itemBytes(record!),
    figuresOfKey,
    breakdowns: {
      shared: shared.breakdowns,
      alone: { bid: toAloneUnits(afterBid), ad: toAloneUnits(lone.after), click: toAloneUnits(toldClick) },
    },
    terms: {
      shared: shared.terms,
      alone: { bid: 0, ad: toAloneTermUnits(lone.after), click: toAloneTermUnits(toldClick) },
    },
    ...protocols,
  };
}

/** Measures the other protocols, and conversations with ids. */
const measureProtocols = async (measured: MeasuredStack, changeCreative: () => Promise<void>) => ({
  exchange: await measureExchange(measured, changeCreative),
  trustedMatch: await measureTrustedMatch(measured),
  conversation: await measureConversations(measured),
});

/** Measures the list of keys with and without a week of figures. */
async function measureFigures({ stack, use }: MeasuredStack): Promise<TableUse> {
  let keys: unknown[] = [];
  const list = async (rawQueryString: string) => {
    keys = JSON.parse(await call(stack, 'api-keys/list', { rawQueryString }));
  };
  const alone = await use(() => list(''));
  const together = await use(() => list('days=7'));
  return divide(add(together, multiply(alone, -1)), keys.length);
}

/** Subscribes the advertiser to impressions: one event per served ad. */
function listenTo(receiver: Server, stack: Stack): Promise<string> {
  const url = `http://127.0.0.1:${getPort(receiver)}/`;
  const headers = { 'content-type': 'application/json', 'x-user-id': DEMO_ADVERTISER };
  return call(stack, 'webhooks/create', { headers, body: JSON.stringify({ url, events: ['ad.impression'] }) });
}
