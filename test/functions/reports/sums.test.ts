import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import type { WorkerName } from '../../../shared/http/operations/workers.ts';
import type { ParkedRecord } from '../../../shared/http/workers/parking.ts';
import { DAY_MS, MINUTE_MS, utcDay } from '../../../shared/platform/clock.ts';
import type { Database, Write } from '../../../shared/platform/database.ts';
import { tableShape } from '../../../shared/platform/tables.ts';
import { generator, shuffle } from '../../../tools/random.ts';
import type { MemoryChange } from '../../memory/database.ts';
import { unreliableFault } from '../../memory/gates.ts';
import { startOnMemoryDatabase } from '../../memory/stack.ts';
import { selectSeeds } from '../../run-size.ts';
import { useStack } from '../../service.ts';
import { streamRecord } from '../../stream-record.ts';
import { createPublisher } from '../legacy/legacy.ts';
import { createExchange, imp, toExt } from '../openrtb2/exchange.ts';

// @module-tag whole

const SETTINGS = { PUBLISHER_SHARE: '0.7', CAMPAIGN_REFRESH_SECONDS: '0', BUDGET_SHARDS: 'true' };
const service = useStack((outside) => startOnMemoryDatabase(outside), SETTINGS);
const { sendNotice } = createExchange(service);

const NAMES = [
  'impressions',
  'clicks',
  'conversions',
  'spend',
  'conversionValue',
  'notRelevant',
  'viewableImpressions',
  'tooFast',
  'tooMany',
  'bids',
  'earnings',
] as const;
type Name = (typeof NAMES)[number];
type Row = Record<Name, number> & { date: string; value: string };
/** The figures of reports that are not broken down. */
const WHOLE = ['notRelevant', 'viewableImpressions', 'tooFast', 'tooMany'] as const;

const CAMPAIGN_DIMENSIONS = ['country', 'publisher', 'topic', 'creative', 'variant'] as const;
const KEY_DIMENSIONS = ['country', 'domain', 'variant'] as const;
const BROKEN_DOWN = {
  campaign: ['impressions', 'clicks', 'conversions', 'spend', 'conversionValue'],
  key: ['bids', 'impressions', 'clicks', 'earnings'],
} as const;

/** Suspect clicks are a part of their own in reports. */
const read = (row: Partial<Row> & { suspectClicks?: Partial<Row> }, name: Name) =>
  ({ ...row, ...row.suspectClicks })[name] ?? 0;
/** Amounts of money are compared in whole micro-dollars. */
const sum = (rows: readonly Partial<Row>[], name: Name) =>
  Math.round(rows.reduce((total, row) => total + read(row, name), 0) * 1e6) / 1e6;
const sums = <N extends Name>(rows: readonly Partial<Row>[], names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, sum(rows, name)]));

const flat = ({ suspectClicks, ...figures }: Partial<Row> & { suspectClicks: Partial<Row> }) => ({
  ...figures,
  ...suspectClicks,
});

const today = () => utcDay(service.clock.now());
const get = async (user: string, path: string, query = '') => {
  service.clock.advance(700); // below the limit of requests
  const response = await service.call('GET', `/api/v1${path}`, { query, headers: { 'x-user-id': user } });
  expect([path, query, response.status]).toEqual([path, query, 200]);
  return response.body;
};

/** The two advertisers, two publishers, their campaigns, and their keys of one run. */
async function openMarket(run: number) {
  const [ann, bea, pat, paul] = ['ann', 'bea', 'pat', 'paul'].map((name) => `${name}-${run}`) as [
    string,
    string,
    string,
    string,
  ];
  const create = async (owner: string, word: string, more: object = {}) => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const keyword = `${word}${letters[run % 26]}${letters[Math.floor(run / 26)]}sum`; // of this run only
    const targetAudience = { keywords: [keyword] };
    const body = { name: keyword, targetAudience, bidStrategy: 'manual', maxCpb: 4.567, budget: 100, ...more };
    const { id } = await service.campaign(body, owner);
    return { id: id as string, owner, word: keyword };
  };
  const campaigns = [
    await create(ann, 'lutes', { conversionWindowDays: 1 }),
    await create(ann, 'harps', { maxCpb: 3.333 }),
    await create(ann, 'idles'),
    await create(bea, 'viols', { maxCpb: 7.001, budget: 0.12 }), // is spent during the run
    await create(bea, 'fifes', { dailyBudget: 0.03 }), // is spent every day
  ];
  const receiver = { url: 'https://public.test/billing', events: ['account.billing'] };
  for (const owner of [ann, bea]) expect((await service.user(owner)('POST', '/webhooks', receiver)).status).toBe(201);
  const createKey = async (owner: string, more: object = {}) => {
    const { body } = await service.user(owner)('POST', '/auth/api-keys', { name: 'Key', ...more });
    return { owner, id: body.id as string, secret: body.key as string, mode: body.mode as string };
  };
  const keys = [
    await createKey(pat),
    await createKey(pat, { publicName: 'Pat chats' }),
    await createKey(paul),
    await createKey(paul, { mode: 'test' }),
  ];
  return { campaigns, keys, advertisers: [ann, bea], publishers: [pat, paul] };
}
type Market = Awaited<ReturnType<typeof openMarket>>;

/** What the test did, by campaign, key, and day: the independent expectation. */
function createExpectation() {
  const counts = new Map<string, number>();
  const add = (id: string, day: string, name: Name, amount: number, values: Record<string, string> = {}) => {
    for (const by of ['', ...Object.entries(values).map(([by, value]) => `${by}=${value}`)]) {
      const key = `${id} ${day} ${by} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + amount);
    }
  };
  const clickers = new Map<string, number>();
  return {
    add,
    read: (id: string, day: string, name: Name, by = '') => counts.get(`${id} ${day} ${by} ${name}`) ?? 0,
    /** Counts a click for its address on a campaign in a minute. @returns how many there were */
    countClick(id: string, address: string, now: number): number {
      const clicker = `${id} ${address} ${Math.floor(now / MINUTE_MS)}`;
      const count = (clickers.get(clicker) ?? 0) + 1;
      clickers.set(clicker, count);
      return count;
    },
  };
}

/** Sends one random bid with what follows from it, over every protocol. */
async function sendBid(
  { campaigns, keys }: Market,
  random: () => number,
  expected: ReturnType<typeof createExpectation>,
  isBurst = false,
) {
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() ** 1.5 * all.length)]!;
  const shopping = campaigns.filter(({ word }) => !word.startsWith('idles'));
  const [campaign, key] = isBurst ? [shopping[0]!, keys[0]!] : [oneOf(shopping), oneOf(keys)];
  const [country, variant] = [oneOf(['US', 'DE', 'XK', 'FR']), oneOf(['A', 'Ⓑ', ''])];
  const optedOut = !isBurst && random() < 0.15;
  const protocol = isBurst ? 'ssp' : oneOf(['ssp', 'legacy', 'openrtb'] as const);
  const headers = { 'x-api-key': key.secret };
  const text = `Where do I buy ${campaign.word}?`;
  const regs = optedOut ? { regs: { gpc: 1 } } : {};
  const label = variant === '' ? {} : { variant };
  const live = key.mode === 'live';
  const values = {
    country: protocol === 'legacy' ? 'none' : country,
    variant: optedOut || !variant ? 'none' : variant,
  };
  const note = (name: Name, amount = 1, day = today()) => {
    if (!live) return;
    if (name !== 'bids') expected.add(campaign.id, day, name, amount, values);
    if (name !== 'conversions' && name !== 'conversionValue') expected.add(key.id, day, name, amount, values);
  };
  const agent = { 'user-agent': 'curl/8' };
  const address = isBurst ? '203.0.113' : oneOf(['203.0.113', '198.51.100']);
  const follow = () => {
    const sourceIp = `${address}.${Math.floor(random() * 256)}`;
    return service.call('GET', `/api/v1/click/${bidId}`, { headers: agent, sourceIp });
  };
  let [shown, clicked] = [false, false];
  let feedbackUrl: string | undefined;
  let viewableUrl: string | undefined;
  let bidId: string | undefined;
  let click: () => Promise<unknown> = async () => undefined;
  let show: () => Promise<boolean>;

  if (protocol === 'ssp') {
    const body = { countryCode: country, messages: [{ role: 'user', content: text }], ...regs, ...label };
    bidId = (await service.call('POST', '/api/v1/ssp/bid', { headers, body })).body?.bidId;
    show = async () => {
      const { status, body } = await service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers });
      ({ feedbackUrl, viewableUrl } = body);
      return status === 200;
    };
    click = follow;
  } else if (protocol === 'legacy') {
    const publisher = createPublisher(service, key.secret);
    const { body } = await publisher.request(text, { ...regs, ...label });
    const ad = body.ads?.[0];
    bidId = ad?.id;
    feedbackUrl = ad?.tracking.feedbackUrl;
    show = async () => (await publisher.impression(bidId!)).status === 200;
    click = () => publisher.click(bidId!, '', agent);
  } else {
    const body = {
      id: 'r',
      imp: [imp()],
      ext: { ...toExt(text), ...label },
      device: { geo: { country: { US: 'USA', DE: 'DEU', XK: 'XKX', FR: 'FRA' }[country] } },
      ...regs,
    };
    const answer = await service.call('POST', '/api/v1/openrtb2/bid', {
      headers: { ...headers, 'x-openrtb-version': '2.6' },
      body,
    });
    const bid = answer.body?.seatbid?.[0].bid[0];
    bidId = bid?.id;
    show = async () => (await sendNotice(bid.burl, '2')).status === 204;
    click = follow;
  }
  if (!bidId) return;
  note('bids');
  const bid = () => service.stack.memory.item('bids', { id: bidId });
  const showIt = async () => {
    shown = await show();
    const after = bid();
    // The last impression of a budget costs what is left.
    if (shown && after?.state === 'served') {
      note('impressions', 1, after.day);
      note('spend', after.charged / 1e6, after.day);
    } else shown = false;
  };
  const clickIt = async () => {
    await click();
    if (clicked || bid()?.click === undefined) return;
    clicked = true;
    note('clicks');
    if (!live || optedOut || click !== follow) return;
    const { servedAt = Number.NaN } = bid()!;
    if (service.clock.now() - servedAt <= 300) note('tooFast');
    else if (expected.countClick(campaign.id, address, service.clock.now()) > 30) note('tooMany');
  };
  if (protocol === 'legacy' && random() < 0.2) await clickIt(); // before its impression
  if (isBurst || random() < 0.8) await showIt();
  return async () => {
    if (shown && (isBurst || random() < 0.5)) await clickIt();
    if (shown && random() < 0.1) await clickIt(); // again
    if (clicked && random() < 0.6) {
      const counts = service.clock.now() - bid()!.click.at < (campaign.word.startsWith('lutes') ? DAY_MS : 30 * DAY_MS);
      const [value, currency] = [oneOf([0, 12.5, 0.000001, 2_000_000]), oneOf(['USD', 'EUR'])];
      const clickId = `clk_${bidId!.replaceAll('-', '')}`;
      for (let times = 0; times < 2; times++) {
        const body = { clickId, conversionType: 'sale', value, currency, conversionId: `order ${bidId}` };
        const { body: sent } = await service.user(campaign.owner)('POST', '/conversions', body);
        expect(sent.counted).toBe(live && counts);
      }
      if (counts) note('conversions');
      if (counts && currency === 'USD') note('conversionValue', Math.min(value, 1_000_000));
    }
    if (shown && feedbackUrl && random() < 0.2) {
      for (let times = 0; times < 2; times++)
        expect((await service.call('POST', new URL(feedbackUrl).pathname)).status).toBe(204);
      note('notRelevant', 1, bid()!.day);
    }
    if (shown && viewableUrl && random() < 0.7) {
      for (let times = 0; times < 2; times++)
        expect((await service.call('POST', new URL(viewableUrl).pathname)).status).toBe(204);
      note('viewableImpressions', 1, bid()!.day);
    }
  };
}

/**
 * Delivers the streams as Lambda may at worst: in several shards, late, in batches of any size, repeated, and on an unreliable store, which
 * refuses the rows whose key begins with `refused`, so that their records are parked.
 * @param heals whether the store refuses only counts, and only at times, so that a batch is counted when it is delivered again
 */
function createDelivery(random: () => number, refused: string, heals: boolean) {
  const { memory: db, messages, effects } = service.stack;
  const fault = unreliableFault(random, 0.04, 0.04);
  let isRefusing = true;
  const failing: Database = db.behind(async ({ method, writes }, act) => {
    if (isRefusing && (!heals || method === 'write') && writes.some(isRefused)) throw new TypeError('never');
    return writes.length > 0 ? fault(act) : act();
  });
  const isRefused = (write: Write) => {
    const item = 'put' in write ? write.put : write.key;
    const key = tableShape(write.table).key.map((part) => part && Reflect.get(item, part));
    return refused !== '' && key.some((part) => typeof part === 'string' && part.startsWith(refused));
  };
  let told = db.changes.length;
  const parkedBefore = messages.on('parked').length;
  const shards = new Map<
    string,
    { worker: WorkerName; shardId: string; records: DynamoDBRecord[]; at: number; since: number }
  >();
  const WORKERS: Partial<Record<string, WorkerName>> = {
    bids: 'events/count',
    conversions: 'events/count',
    'key-tallies': 'events/count-keys',
    statements: 'events/fan-out',
  };

  function take() {
    for (const change of db.changes.slice(told)) {
      const worker = WORKERS[change.table];
      if (!worker) continue;
      const shardId = `${change.table} ${toShard(change)}`;
      const shard = shards.get(shardId) ?? { worker, shardId, records: [], at: 0, since: 0 };
      shards.set(shardId, shard);
      shard.records.push(streamRecord(change.old, change.now, change.table));
    }
    told = db.changes.length;
    return [...shards.values()].filter(({ at, records }) => at < records.length);
  }

  async function run(worker: WorkerName, Records: DynamoDBRecord[], shardId?: string, by: Database = db) {
    const handler = await loadWorker(worker, { ...effects, db: by });
    return (await handler({ Records, ...(shardId && { shardId, state: {} }) })).batchItemFailures[0]?.itemIdentifier;
  }

  return {
    /** Delivers one batch of a shard, perhaps with records that were delivered before. */
    async deliverSome() {
      const shard = take()[Math.floor(random() * take().length)];
      if (!shard) return;
      const { worker, shardId, records } = shard;
      const start = random() < 0.25 ? shard.since + Math.floor(random() * (shard.at - shard.since)) : shard.at;
      const batch = records.slice(start, start + 1 + Math.floor(random() * 40));
      isRefusing = !heals || random() < 0.5;
      const failed = await run(worker, batch, shardId, failing);
      const through = failed ? batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed) : batch.length;
      shard.at = Math.max(shard.at, start + through);
    },
    /** Delivers everything that was written. From then on, nothing earlier is delivered again. */
    async deliverAll() {
      while (take().length > 0) await this.deliverSome();
      for (const shard of shards.values()) shard.since = shard.at;
    },
    /** Once the fault is repaired, processes what was parked, in any order, and some of it twice, as a queue delivers it. */
    async replay() {
      const parked: { worker: WorkerName; record: ParkedRecord }[] = messages.on('parked').slice(parkedBefore);
      const again = [...parked, ...parked.filter(() => random() < 0.3)];
      shuffle(again, random);
      for (const { worker, record } of again) await run(worker, [record]);
      return parked.length;
    },
  };
}

const toShard = ({ table, now, old }: MemoryChange): number => {
  const item = now ?? old!;
  const id = String(item.conversionId ?? item.id ?? item.shard ?? '');
  return table === 'statements' ? 0 : [...id].reduce((hash, letter) => hash + letter.charCodeAt(0), 0) % 3;
};

describe('The figures of a few days of mixed traffic', () => {
  it.each(
    selectSeeds(36).map(
      (seed) =>
        [
          seed,
          ['', 'bids ', 'by#', 'total', 'by#variant', '20', 'mark#', 'cmp_', 'clk', 'clicker#'][seed % 10]!,
        ] as const,
    ),
  )('add up in every report, statement, event, and overview (seed %d, without rows of %j)', async (seed, refused) => {
    const random = generator(seed);
    service.clock.set(Date.UTC(2027, seed, 10, 8));
    const market = await openMarket(seed);
    const expected = createExpectation();
    const streams = createDelivery(random, refused, seed % 2 === 0);
    const first = today();
    const pending: (() => Promise<void>)[] = [];
    const passMidnight = async () => {
      await streams.deliverAll();
      service.clock.set(Math.max(service.clock.now(), Date.parse(today()) + DAY_MS + 10 * 60_000));
      for (const name of ['schedules/start-day', 'schedules/bill-day'] as const)
        await (await loadWorker(name, service.stack.effects))();
      await streams.deliverAll();
    };
    /** More clicks in a minute from one address than readers make, of a key whose own other clicks it may have too. */
    const burst = async () => {
      const clicks: (() => Promise<void>)[] = [];
      for (let count = 0; count < 40; count++) {
        service.clock.advance(150);
        const then = await sendBid(market, random, expected, true);
        if (then) clicks.push(then);
      }
      service.clock.set(Math.ceil(service.clock.now() / MINUTE_MS) * MINUTE_MS);
      for (const then of clicks) {
        await then();
        if (random() < 0.2) await streams.deliverSome();
      }
    };
    for (let day = 0; day < 3; day++) {
      for (let count = 0; count < 30; count++) {
        service.clock.advance(1_000 + Math.floor(random() * 10 * 60_000));
        const then = await sendBid(market, random, expected);
        if (then) pending.push(then);
        if (random() < 0.6) await pending.splice(Math.floor(random() * pending.length), 1)[0]?.();
        if (random() < 0.4) await streams.deliverSome();
      }
      if (day === 1) await burst();
      if (day < 2) await passMidnight();
    }
    await passMidnight();
    expect(await streams.replay()).toBeGreaterThanOrEqual(0);
    await streams.deliverAll();
    for (const then of pending.splice(0)) await then();
    await streams.deliverAll();
    await streams.replay();
    await streams.deliverAll();
    await (await loadWorker('schedules/bill-day', service.stack.effects))(); // sums what was counted late

    const period = `from=${first}&to=${today()}`;
    const byCampaign = new Map<string, Row[]>();
    for (const { id, owner } of market.campaigns) {
      const days: Row[] = await get(owner, `/campaigns/${id}/report`, period);
      byCampaign.set(id, days);
      for (const day of days)
        for (const name of [...BROKEN_DOWN.campaign, ...WHOLE])
          expect([id, day.date, name, sum([day], name)]).toEqual([
            id,
            day.date,
            name,
            sum([{ [name]: expected.read(id, day.date, name) }], name),
          ]);
      for (const by of CAMPAIGN_DIMENSIONS) {
        const rows: Row[] = await get(owner, `/campaigns/${id}/report`, `${period}&by=${by}`);
        expect(rows.filter(({ value }) => value === 'unattributed')).toEqual([]);
        for (const day of days) {
          const ofDay = rows.filter(({ date }) => date === day.date);
          expect({ by, date: day.date, ...sums(ofDay, BROKEN_DOWN.campaign) }).toEqual({
            by,
            date: day.date,
            ...sums([day], BROKEN_DOWN.campaign),
          });
        }
        if (by === 'country' || by === 'variant')
          for (const row of rows)
            for (const name of BROKEN_DOWN.campaign)
              expect([row.date, by, row.value, name, sum([row], name)]).toEqual([
                row.date,
                by,
                row.value,
                name,
                sum([{ [name]: expected.read(id, row.date, name, `${by}=${row.value}`) }], name),
              ]);
      }
      const { performance, spentBudget } = await get(owner, `/campaigns/${id}`);
      expect({ ...performance, ...performance.suspectClicks, spend: spentBudget }).toMatchObject(
        sums(days, [...BROKEN_DOWN.campaign, ...WHOLE]),
      );
    }

    const byKey = new Map<string, Row[]>();
    for (const { id, owner, mode } of market.keys) {
      const days: Row[] = await get(owner, `/auth/api-keys/${id}/report`, period);
      byKey.set(id, days);
      for (const day of days)
        for (const name of ['bids', 'impressions', 'clicks', ...WHOLE] as const)
          expect([id, day.date, name, read(day, name)]).toEqual([
            id,
            day.date,
            name,
            expected.read(id, day.date, name),
          ]);
      if (mode === 'test') expect(sums(days, NAMES)).toEqual(sums([], NAMES));
      for (const by of KEY_DIMENSIONS) {
        const rows: Row[] = await get(owner, `/auth/api-keys/${id}/report`, `${period}&by=${by}`);
        expect(rows.filter(({ value }) => value === 'unattributed')).toEqual([]);
        for (const day of days) {
          const ofDay = rows.filter(({ date }) => date === day.date);
          expect({ by, date: day.date, ...sums(ofDay, BROKEN_DOWN.key) }).toEqual({
            by,
            date: day.date,
            ...sums([day], BROKEN_DOWN.key),
          });
        }
      }
    }

    for (const owner of market.advertisers) {
      const own = market.campaigns.filter((one) => one.owner === owner);
      const all = own.flatMap(({ id }) => byCampaign.get(id)!);
      const names = [...BROKEN_DOWN.campaign, ...WHOLE];
      const rows: (Row & { campaignId: string })[] = await get(owner, '/reports/campaigns', period);
      expect(rows.map(({ campaignId }) => campaignId)).toEqual(own.map(({ id }) => id));
      for (const row of rows) expect(sums([row], names)).toEqual(sums(byCampaign.get(row.campaignId)!, names));
      const home = await get(owner, '/home');
      expect(flat(home.campaigns.last30Days)).toMatchObject(sums(all, names));
      expect(flat(home.campaigns.today)).toMatchObject(
        sums(
          all.filter(({ date }) => date === today()),
          names,
        ),
      );

      const statement = await get(owner, '/statements', 'kind=spend');
      expect(sum([statement], 'spend')).toBe(sum(all, 'spend'));
      const events = service.stack.messages
        .on('deliveries')
        .flatMap(({ event }) =>
          event?.type === 'account.billing' && event.data.user_id === owner ? [event.data] : [],
        );
      expect(events.length).toBeGreaterThan(1);
      for (const day of statement.days) {
        expect(sum([day], 'spend')).toBe(
          sum(
            all.filter(({ date }) => date === day.date),
            'spend',
          ),
        );
        const event = events.find(({ date }) => date === day.date);
        if (!event) expect([day.date, day.spend]).toEqual([day.date, 0]);
        else
          expect({
            spend: event.spend,
            campaigns: event.campaigns.map((line: Record<string, unknown>) => [
              line.campaign_id,
              line.impressions,
              line.clicks,
              line.conversions,
              line.spend,
            ]),
          }).toEqual({
            spend: day.spend,
            campaigns: day.campaigns.map((line: Record<string, unknown>) => [
              line.campaignId,
              line.impressions,
              line.clicks,
              line.conversions,
              line.spend,
            ]),
          });
      }
    }

    for (const owner of market.publishers) {
      const own = market.keys.filter((key) => key.owner === owner && key.mode === 'live');
      const all = own.flatMap(({ id }) => byKey.get(id)!);
      const statement = await get(owner, '/statements', 'kind=earnings');
      expect(statement.earnings).toBe(sum(all, 'earnings'));
      for (const day of statement.days)
        for (const line of day.keys)
          expect(line).toMatchObject(
            sums(
              byKey.get(line.keyId)!.filter(({ date }) => date === day.date),
              ['impressions', 'clicks', 'earnings'],
            ),
          );
      expect(flat((await get(owner, '/home')).keys.last30Days)).toMatchObject(
        sums(all, ['bids', 'impressions', 'clicks', 'earnings', ...WHOLE]),
      );
    }

    // Publishers and advertisers see the same impressions, clicks, and money.
    const [spent, keyed] = [[...byCampaign.values()].flat(), [...byKey.values()].flat()];
    expect(sums(keyed, ['impressions', 'clicks', ...WHOLE])).toEqual(sums(spent, ['impressions', 'clicks', ...WHOLE]));
    expect(sum(spent, 'tooMany')).toBeGreaterThan(0);
    expect(sum(keyed, 'earnings')).toBeLessThanOrEqual(sum(spent, 'spend') * 0.7);
    expect(sum(keyed, 'earnings')).toBeGreaterThan(sum(spent, 'spend') * 0.7 - 1e-3);
  });
});
