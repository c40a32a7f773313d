import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Bid, isClicked, isServed } from '../../../shared/ads/bids/bid.ts';
import { ledgerStore } from '../../../shared/budgets/ledger.ts';
import { openDatabase } from '../../../shared/platform/dynamodb.ts';
import { createEventId } from '../../../shared/webhooks/events/event-id.ts';
import type { FaultyMarket } from './market.ts';

/** Invariants that hold whatever the store does: every count must be zero. */
interface Violations {
  /** Requests without a bid although a campaign matched, had budget, and the deadline was not reached. */
  'bids lost to a refresh': number;
  /** Responses other than success, 503, and the 404 of an exhausted budget. */
  'unexpected responses': number;
  /** Ads returned and clicks redirected without a record. */
  'ads and clicks not stored': number;
  /** The difference between a ledger and the charges of its impressions, in micro-dollars. */
  'charged twice or not at all': number;
  /** Micro-dollars spent above a total or daily budget. */
  overspent: number;
  'events lost': number;
  'events without a cause': number;
}

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

/** Compares the records with the ledgers, the responses, and the received events. */
export async function audit({ stack, clock, campaigns, answers, state, received }: FaultyMarket) {
  const { config, ids } = stack.effects;
  const db = openDatabase({ prefix: config.tablePrefix, clock, ids, client: stack.client });
  const bids: Bid[] = [];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(stack.client));
  for await (const { Items = [] } of paginateScan({ client }, { TableName: `${config.tablePrefix}bids` })) {
    bids.push(...(Items as Bid[]));
  }
  const served = bids.filter(isServed);
  const clicked = bids.filter(isClicked);
  const expected = new Set([
    ...served.map(({ id, servedAt }) => createEventId('ad.impression', id, servedAt)),
    ...clicked.map(({ id, click }) => createEventId('ad.click', id, click.at)),
  ]);
  const ledgers = await ledgerStore({ db }).performance(campaigns);
  const chargedTo = (campaign: string) =>
    sum(served.filter(({ campaignId }) => campaignId === campaign).map(({ charged }) => charged));
  const broken: Violations = {
    'bids lost to a refresh': answers.none - state.late,
    'unexpected responses': answers.other,
    'ads and clicks not stored':
      Math.max(0, answers.ads - served.length) + Math.max(0, answers.clicks - clicked.length),
    'charged twice or not at all': sum(ledgers.map(({ campaignId, spent }) => Math.abs(spent - chargedTo(campaignId)))),
    overspent: sum(ledgers.map(({ remaining, dayRemaining }) => Math.max(0, -remaining, -dayRemaining))),
    'events lost': [...expected].filter((id) => !received.has(id)).length,
    'events without a cause': [...received.keys()].filter((id) => !expected.has(id)).length,
  };
  return { broken, served: served.length, clicked: clicked.length, events: expected.size };
}

export type Audit = Awaited<ReturnType<typeof audit>>;
