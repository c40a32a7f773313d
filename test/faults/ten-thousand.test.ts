import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { announceCampaign, announceClick, announceImpression } from '../../shared/webhooks/events/announce.ts';
import { toCampaignFacts } from '../../shared/webhooks/events/facts.ts';
import { EVENT_TYPES } from '../../shared/webhooks/events/types.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { generator } from '../../tools/random.ts';
import { type Arrival, FAULTS, simulateDeliveries } from '../memory/deliveries.ts';
import { scaleRuns } from '../run-size.ts';
import { clickedBid, issuedBid, laterCampaign, servedBid, storedCampaign } from '../sample-records.ts';
import { streamRecord } from '../stream-record.ts';

const BIDS = scaleRuns(3_500);
const CAMPAIGNS = scaleRuns(1_000);
const ADVERTISERS = 20;
const PUBLISHERS = 10;
const INJECTED = scaleRuns(1_000);
const POISON = 5;
const BATCH = 100;

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const advertiser = (n: number) => `advertiser-${n % ADVERTISERS}`;
const parts = (n: number) => ({
  id: uuid(n),
  campaignId: `cmp_${n % 50}`,
  campaignOwner: advertiser(n % 50),
  // Every tenth owner shows their own ads.
  keyOwner: n % 10 === 0 ? advertiser(n % 50) : `publisher-${n % PUBLISHERS}`,
});

const bids = Array.from({ length: BIDS }, (_, n) => ({
  issued: issuedBid(parts(n)),
  served: servedBid(parts(n)),
  clicked: clickedBid(parts(n)),
}));
const campaigns = Array.from({ length: CAMPAIGNS }, (_, n) => {
  const created = {
    ...storedCampaign({ id: `cmp_of_stream_${n}`, owner: advertiser(n) }),
    item: `campaign#cmp_of_stream_${n}`,
  };
  const renamed = { ...created, ...laterCampaign(created, { name: `Shoes ${n}` }) };
  const paused = { ...renamed, ...laterCampaign(renamed, { status: 'paused', pausedReason: 'daily_budget' }) };
  return { created, renamed, paused };
});

/** A record that cannot be parsed. */
const poison = (): DynamoDBRecord => {
  const record = streamRecord(undefined, { id: 'x' });
  record.dynamodb!.NewImage = { id: { UNKNOWN: 'x' } as never };
  return record;
};

function streamOfBids(): DynamoDBRecord[] {
  const records = bids.flatMap(({ issued, served, clicked }) => [
    streamRecord(issued, served),
    streamRecord(served, clicked),
  ]);
  for (let n = 0; n < POISON; n++) records.splice(n * 1_234 + 50, 0, poison());
  return records;
}
const streamOfCampaigns = (): DynamoDBRecord[] =>
  campaigns.flatMap(({ created, renamed, paused }) => [
    streamRecord(undefined, created, 'campaigns'),
    streamRecord(created, renamed, 'campaigns'),
    streamRecord(renamed, paused, 'campaigns'),
  ]);

/** Every expected event and receiver, as `event id at address`. */
async function expected(simulation: ReturnType<typeof simulateDeliveries>, hooks: Webhook[]) {
  const [performance] = await ledgerStore(simulation.effects).performance(['none']);
  const announcements = [
    ...bids.flatMap(({ served, clicked }) => [announceImpression(served), announceClick(clicked)]),
    ...campaigns.flatMap(({ created, renamed, paused }) =>
      [
        ...toCampaignFacts(undefined, created),
        ...toCampaignFacts(created, renamed),
        ...toCampaignFacts(renamed, paused),
      ].map((fact) => announceCampaign(fact, performance!)),
    ),
  ];
  const pairs = announcements.flatMap(({ event, owners }) =>
    owners.flatMap((one) => hooks.filter(({ owner }) => owner === one).map(({ url }) => `${event.id} at ${url}`)),
  );
  return { events: new Set(announcements.map(({ event }) => event.id)), pairs: new Set(pairs) };
}

describe('Ten thousand events (a thousand in `npm test`)', () => {
  it('reach all of their receivers despite a fault in every tenth call, and are recorded and counted once', {
    tags: 'whole',
  }, async () => {
    const chance = generator(20_261_120);
    let injected = 0;
    let outage = 0;
    const simulation = simulateDeliveries({
      requestMs: 5,
      faultOf(call) {
        if (outage > 0 && call === 'send') {
          outage--;
          injected++;
          return 'refused'; // a queue outage
        }
        if (injected >= INJECTED || chance() > 0.012) return undefined;
        return FAULTS[injected++ % FAULTS.length];
      },
      answer: () => (chance() < 0.02 ? (chance() < 0.5 ? 500 : null) : 200),
    });
    const users = [
      ...Array.from({ length: ADVERTISERS }, (_, n) => `advertiser-${n}`),
      ...Array.from({ length: PUBLISHERS }, (_, n) => `publisher-${n}`),
    ];
    const hooks: Webhook[] = [];
    for (const user of users) hooks.push(await simulation.webhook(user, [...EVENT_TYPES], user));
    for (const { served } of bids) await simulation.db.write({ table: 'bids', put: served });

    const pollers = [
      { name: 'events/fan-out', records: streamOfBids(), at: 0 },
      { name: 'events/fan-out', records: streamOfCampaigns(), at: 0 },
      { name: 'events/count', records: streamOfBids(), at: 0 },
    ] as const;
    for (let round = 0; pollers.some(({ at, records }) => at < records.length); round++) {
      if (round === scaleRuns(20)) outage = scaleRuns(100);
      for (const poller of pollers) {
        const from = round % 7 === 3 ? Math.max(0, poller.at - 30) : poller.at; // repeats part of a batch
        const through = await simulation.feed(poller.name, poller.records.slice(from, from + BATCH));
        (poller as { at: number }).at = Math.max(poller.at, from + through);
      }
      if (round % 3 === 0)
        await simulation.effects.queue.send('deliveries', simulation.memoryQueue.on('deliveries')[0]);
      for (let n = 0; n < 200 && (await simulation.deliverOne()); n++);
      simulation.clock.advance(1_000);
    }
    await simulation.deliverAll();

    expect(injected).toBeGreaterThanOrEqual(INJECTED);
    const { events, pairs } = await expected(simulation, hooks);
    expect(events.size).toBe(2 * BIDS + 3 * CAMPAIGNS);
    const arrived = new Set(simulation.arrivals.map(({ eventId, url }: Arrival) => `${eventId} at ${url}`));
    expect([...pairs].filter((pair) => !arrived.has(pair))).toEqual([]);
    expect([...arrived].filter((pair) => !pairs.has(pair))).toEqual([]);
    expect(simulation.memoryQueue.on('deliveries')).toEqual([]);
    expect(simulation.memoryQueue.on('dead')).toEqual([]);

    const records = simulation.db.items('deliveries');
    expect(records.length).toBe(pairs.size);
    expect(records.filter(({ status }) => status !== 'delivered')).toEqual([]);

    const parked = simulation.memoryQueue.on('parked').map(({ worker, record }) => `${worker} ${record.eventID}`);
    expect(new Set(parked).size).toBe(2 * POISON);
    // Bids served by the previous version: the stream counts them, not their charge.
    const totals = simulation.db.items('ledgers').filter(({ row }) => row === 'total');
    const sum = (field: string) => totals.reduce((all, row) => all + (row[`${field}_20261120`] ?? 0), 0);
    expect([sum('impressions'), sum('clicks'), sum('spend')]).toEqual([BIDS, BIDS, BIDS * 4_000]);
  });
});
