import { parseArgs } from 'node:util';
import { systemIds } from '../../../shared/platform/ids.ts';
import { systemClock } from '../../../shared/platform/system-clock.ts';
import { generator } from '../../../tools/random.ts';
import { table } from '../../../tools/text-table.ts';
import { type Audit, audit } from './audit.ts';
import { type FaultyMarket, startMarket } from './market.ts';

const USAGE = 'npm run fuzz -- faults [--seconds 60] [--refuse 0.3] [--seed 1]';
const PUBLISHERS = 4;
const PAUSE_MS = 100;
/** A failed message becomes visible again after 90 seconds. */
const STRAGGLERS_MS = 120_000;

const number = (name: string, text: string, max: number): number => {
  const value = Number(text);
  if (!(value >= 0 && value <= max)) throw new Error(`--${name} ${text}: must be a number up to ${max}. ${USAGE}`);
  return value;
};

/** `npm run fuzz -- faults`: sends traffic to the local service while its store fails a share of its calls. Fails if an invariant breaks. */
async function faults(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      refuse: { type: 'string', default: '0.3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const seconds = number('seconds', values.seconds, 3_600);
  const faultRate = number('refuse', values.refuse, 1);
  const market = await startMarket({
    clock: systemClock,
    ids: systemIds,
    random: generator(number('seed', values.seed, 2 ** 31)),
    faultRate,
    faults: ['throttled', 'server error', 'reset', 'silent', 'lost'],
    deliveriesAtOnce: 8,
  });
  try {
    await traffic(market, seconds * 1000);
    const found = await settledAudit(market);
    console.log(report(market, found).join('\n'));
    if (Object.values(found.broken).some((count) => count !== 0)) process.exitCode = 1;
  } finally {
    await market.stop();
  }
}

/** Publishers send requests while the workers process streams and queues. */
async function traffic({ state, publisher, visit, drain }: FaultyMarket, ms: number): Promise<void> {
  const keys = await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
  await visit(keys[0]!); // the first read of the campaigns must succeed, as on an instance that is already running
  state.isInjecting = true;
  const end = Date.now() + ms;
  const until = async (act: () => Promise<unknown>) => {
    while (Date.now() < end) {
      await act();
      await systemClock.sleep(PAUSE_MS);
    }
  };
  const isOver = () => Date.now() >= end;
  await Promise.all([...keys.map((key) => until(() => visit(key))), until(() => drain(isOver))]);
  state.isInjecting = false;
}

/** Audits after every event has arrived, or after the time limit. */
async function settledAudit(market: FaultyMarket): Promise<Audit> {
  for (const end = Date.now() + STRAGGLERS_MS; ; ) {
    await market.drain();
    const found = await audit(market);
    if (found.broken['events lost'] === 0 || Date.now() > end) return found;
    await systemClock.sleep(1_000);
  }
}

function report(
  { answers, state, injected, received }: FaultyMarket,
  { broken, served, clicked, events }: Audit,
): string[] {
  const { requested, bid, none, unavailable, ads, ended, clicks, retried } = answers;
  const rows: [string, number][] = [
    ['store calls during the faults', state.calls],
    ...[...injected].map(([fault, count]): [string, number] => [`  ${fault}`, count]),
    ['bid requests', requested],
    ['  bids', bid],
    ['  no bid, timed out', state.late],
    ['  no bid, other reasons', none - state.late],
    ['ads', ads],
    ['  expired, budget exhausted', ended],
    ['clicks', clicks],
    ['503, retried', retried],
    ['503 after all retries', unavailable],
    ['impressions stored', served],
    ['clicks stored', clicked],
    ['events expected', events],
    ['events received', received.size],
  ];
  const invariants = Object.entries(broken).map(([name, count]): [string, number] => [name, count]);
  const printed = (lines: [string, number][]) => lines.map(([name, count]) => [name, count.toLocaleString('en')]);
  return [...table(['result', ''], printed(rows)), '', ...table(['violations, must be 0', ''], printed(invariants))];
}

faults().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
