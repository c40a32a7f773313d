import { parseArgs } from 'node:util';
import { systemClock } from '../../../shared/platform/clock.ts';
import { systemIds } from '../../../shared/platform/ids.ts';
import { generator } from '../../../tools/random.ts';
import { table } from '../../../tools/text-table.ts';
import { type Audit, audit } from './audit.ts';
import { type FaultyMarket, startMarket } from './market.ts';

const USAGE = 'npm run fuzz -- faults [--seconds 60] [--refuse 0.3] [--seed 1]';
const PUBLISHERS = 4;
const PAUSE_MS = 100;
/** A message that a function could not get through comes back after 90 seconds. */
const STRAGGLERS_MS = 120_000;

const number = (name: string, given: string, most: number): number => {
  const value = Number(given);
  if (!(value >= 0 && value <= most)) throw new Error(`--${name} ${given}: must be a number up to ${most}. ${USAGE}`);
  return value;
};

/** `npm run fuzz -- faults`: traffic on the local service while its store refuses a part of all calls. Fails when an invariant breaks. */
async function faults(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      refuse: { type: 'string', default: '0.3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const seconds = number('seconds', values.seconds, 3_600);
  const refuse = number('refuse', values.refuse, 1);
  const market = await startMarket({
    clock: systemClock,
    ids: systemIds,
    random: generator(number('seed', values.seed, 2 ** 31)),
    refuse,
    troubles: ['throttled', 'server error', 'reset', 'silent', 'lost'],
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

/** Publishers ask while streams and queues are worked on beside. */
async function traffic({ state, publisher, visit, drain }: FaultyMarket, ms: number): Promise<void> {
  const keys = await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
  await visit(keys[0]!); // the campaigns are read once in peace: what follows is a service that runs
  state.isTroubled = true;
  const end = Date.now() + ms;
  const until = async (act: () => Promise<unknown>) => {
    while (Date.now() < end) {
      await act();
      await systemClock.sleep(PAUSE_MS);
    }
  };
  const isOver = () => Date.now() >= end;
  await Promise.all([...keys.map((key) => until(() => visit(key))), until(() => drain(isOver))]);
  state.isTroubled = false;
}

/** The audit when every event has come, or no time is left to wait for one. */
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
  const { asked, bid, none, unavailable, ads, ended, clicks, again } = answers;
  const rows: [string, number][] = [
    ['calls of the store while it refused', state.calls],
    ...[...injected].map(([trouble, count]): [string, number] => [`  ${trouble}`, count]),
    ['bids asked for', asked],
    ['  bids', bid],
    ['  no bid, for it was late', state.late],
    ['  no bid otherwise', none - state.late],
    ['ads', ads],
    ['  void, their budget was used up', ended],
    ['clicks', clicks],
    ['503, asked again', again],
    ['503 in the end', unavailable],
    ['impressions stored', served],
    ['clicks stored', clicked],
    ['events expected', events],
    ['events received', received.size],
  ];
  const invariants = Object.entries(broken).map(([name, count]): [string, number] => [name, count]);
  const printed = (lines: [string, number][]) => lines.map(([name, count]) => [name, count.toLocaleString('en')]);
  return [...table(['what happened', ''], printed(rows)), '', ...table(['what must be zero', ''], printed(invariants))];
}

faults().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
