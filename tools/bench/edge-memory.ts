import { freePort } from '../../infra/local/port.ts';
import { BIDS_OF_A_KEY, bidAt, NO_CACHE, startEmptyOrigin, stockedStore, untilBid } from './edge-market.ts';
import { generate } from './market.ts';
import { openInspector, residentMb, startWorkerd } from './workerd.ts';

const CAMPAIGNS = 30_000;
/** Words of each conversation, which has nothing in common with the others: so many conversations of a bench have many more than the caches of words hold. */
const WORDS = 250;
const BIDS = 800;
const EVERY = 200;
/** What a Worker may hold at so many campaigns, of the 128 MB that its runtime gives it. */
const MOST_MB = 90;

/** What V8 holds of a Worker that has all campaigns, garbage collected, while conversations come that have no words in common. Gives the most of it. */
export async function memory(ends: (() => unknown)[], bids = BIDS): Promise<number> {
  const ORIGIN_URL = await startEmptyOrigin(ends);
  const { environment, keys } = await stockedStore(CAMPAIGNS, 1 + bids / BIDS_OF_A_KEY, ends);
  const inspectorPort = await freePort();
  const worker = await startWorkerd({ before: NO_CACHE, bindings: { ...environment, ORIGIN_URL }, inspectorPort });
  ends.push(worker.stop);
  const inspector = await openInspector(inspectorPort, `${worker.url}/api/v1/health`);
  ends.push(inspector.close);
  console.log(`\nMB at ${CAMPAIGNS} campaigns    V8 holds   resident`);
  let most = 0;
  async function tell(when: string) {
    const held = await inspector.heldMb();
    most = Math.max(most, held);
    console.log(when.padEnd(24), held.toFixed(1).padStart(8), residentMb(worker.pid).toFixed(0).padStart(10));
  }
  await tell('before a bid');
  await untilBid(worker.url, keys[0]!);
  await tell('after the first');
  const words = wordsOf();
  for (let bid = 0; bid < bids; bid++) {
    const content = Array.from({ length: WORDS }, words).join(' ');
    await bidAt(worker.url, keys[1 + Math.floor(bid / BIDS_OF_A_KEY)]!, [{ role: 'user', content }]);
    if ((bid + 1) % EVERY === 0) await tell(`after ${bid + 1} varied ones`);
  }
  return most;
}

/** Each word of the market in turn, and between them words that nobody has said. */
function wordsOf(): () => string {
  const { vocabulary } = generate(0);
  let count = 0;
  return () => {
    count++;
    return count % 2 ? vocabulary[((count - 1) / 2) % vocabulary.length]! : `word${count.toString(36)}`;
  };
}

/** The last part of `npm run check:edge`: fails where a Worker holds more than it may. Counted after garbage is collected, so however busy the machine is. */
async function checkMemory(): Promise<void> {
  const ends: (() => unknown)[] = [];
  try {
    const held = await memory(ends, EVERY);
    if (held <= MOST_MB) return;
    console.error(`a Worker holds ${held.toFixed(1)} MB at ${CAMPAIGNS} campaigns, more than ${MOST_MB}`);
    process.exitCode = 1;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

// Elsewhere the figures of a process are not read from outside.
if (import.meta.main && process.platform === 'linux') await checkMemory();
