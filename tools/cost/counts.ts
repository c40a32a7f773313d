import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { portOf } from '../../infra/local/port.ts';
import { DEMO_ADVERTISER, seed } from '../../infra/local/seed.ts';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import type { EndpointName } from '../../shared/operations/endpoints.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { startMeter, type Units } from './meter.ts';

/** What one of something uses, measured on the stand-ins. */
interface TableUse extends Units {
  /** Of the functions' own lines. */
  logBytes: number;
}

/** A bid with its share of keeping up with the campaigns; an ad and a click with what follows them; one event's way to one receiver. */
export type Step = 'bid' | 'ad' | 'click' | 'delivery';
export type Counts = Readonly<Record<Step, TableUse>> & {
  /** What a served ad keeps in its table. */ recordBytes: number;
};

/** What the time of a line adds in the cloud. */
const TIMESTAMP_BYTES = '"timestamp":"2026-11-20T09:00:00.000Z",\n'.length;
/** A refresh asks for what changed since the last one, with a margin: this long after the last change that is nothing. */
const QUIET_MS = 60_000;
/** Long enough for a refresh, and not for another look at a key's settings: an instance reads those once in ten seconds. */
const REFRESH_MS = 1_500;

/** Lets one bid live its whole life, on stand-ins of its own, and measures every step of it. */
export async function measureCounts(): Promise<Counts> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  const meter = await startMeter(String(dynamoDb.client.endpoint));
  const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  let later = 0;
  let logBytes = 0;
  const stack = await startStack({
    config: readConfig(
      { DATA_DIR: ':memory:', AWS_ENDPOINT_URL_DYNAMODB: meter.endpoint, CAMPAIGN_REFRESH_SECONDS: '1' },
      true,
    ),
    clock: { ...systemClock, now: () => Date.now() + later },
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
    await act();
    return { ...meter.read(), logBytes };
  }

  try {
    await seed(stack.effects);
    await listenTo(receiver, stack);
    await stack.drain();
    for (const ms of [QUIET_MS, QUIET_MS, REFRESH_MS]) {
      await call(stack, 'ssp/bid'); // reads all the campaigns, then those of the margin, then the settings of the key once more
      later += ms;
    }

    let bidId = '';
    const bid = await use(async () => {
      ({ bidId } = JSON.parse(await call(stack, 'ssp/bid')));
    });
    const ad = await use(async () => {
      await call(stack, 'ssp/ad', { pathParameters: { bidId } });
      await stack.drainStreams();
    });
    const delivery = await use(stack.drain);
    const click = await use(async () => {
      await call(stack, 'click/redirect', { pathParameters: { trackingId: bidId } });
      await stack.drainStreams();
    });
    const record = await stack.effects.db.get('bids', { id: bidId });
    return { bid, ad, click, delivery, recordBytes: JSON.stringify(record).length };
  } finally {
    await stack.stop();
    receiver.close();
    meter.stop();
    await dynamoDb.stop();
  }
}

/** A fixture as the gateway sends it: its id of a request is as long as a real one. */
function fixture(name: string): APIGatewayProxyEventV2 {
  const event: APIGatewayProxyEventV2 = JSON.parse(readFileSync(`events/${name}.json`, 'utf8'));
  return { ...event, requestContext: { ...event.requestContext, requestId: 'JKJaXmPLvHcESHA=' } };
}

async function call(stack: Stack, name: EndpointName, more: Partial<APIGatewayProxyEventV2> = {}): Promise<string> {
  const { statusCode, body = '' } = await stack.handlers[name]({ ...fixture(name), ...more });
  if (statusCode! >= 400) throw new Error(`${name}: ${body}`);
  return body;
}

/** The advertiser hears of impressions: one event for each ad that is served. */
function listenTo(receiver: Server, stack: Stack): Promise<string> {
  const url = `http://127.0.0.1:${portOf(receiver)}/`;
  const headers = { 'content-type': 'application/json', 'x-user-id': DEMO_ADVERTISER };
  return call(stack, 'webhooks/create', { headers, body: JSON.stringify({ url, events: ['ad.impression'] }) });
}
