import { freePort } from '../../infra/local/dynamodb.ts';
import { BIDS_OF_A_KEY, bidAt, NO_CACHE, startEmptyOrigin, stockedStore, untilBid } from './edge-market.ts';
import { generate } from './market.ts';
import { openInspector, residentMb, startWorkerd } from './workerd.ts';

const CAMPAIGNS = 30_000;
/** Bids of conversations that have nothing in common, and words of each: many more than the caches of words hold. */
const BIDS = 800;
const WORDS = 250;
const KEYS = 1 + BIDS / BIDS_OF_A_KEY;
const EVERY = 200;

/** What V8 holds of a Worker that has all campaigns, garbage collected, while conversations come that have no words in common. */
export async function memory(ends: (() => unknown)[]): Promise<void> {
  const ORIGIN_URL = await startEmptyOrigin(ends);
  const { environment, keys } = await stockedStore(CAMPAIGNS, KEYS, ends);
  const inspectorPort = await freePort();
  const worker = await startWorkerd({ before: NO_CACHE, bindings: { ...environment, ORIGIN_URL }, inspectorPort });
  ends.push(worker.stop);
  const inspector = await openInspector(inspectorPort, `${worker.url}/api/v1/health`);
  ends.push(inspector.close);
  console.log(`\nMB at ${CAMPAIGNS} campaigns    V8 holds   resident`);
  const tell = async (when: string) =>
    console.log(
      when.padEnd(24),
      (await inspector.heldMb()).toFixed(1).padStart(8),
      residentMb(worker.pid).toFixed(0).padStart(10),
    );
  await tell('before a bid');
  await untilBid(worker.url, keys[0]!);
  await tell('after the first');
  const words = wordsOf();
  for (let bid = 0; bid < BIDS; bid++) {
    const content = Array.from({ length: WORDS }, words).join(' ');
    await bidAt(worker.url, keys[1 + Math.floor(bid / BIDS_OF_A_KEY)]!, [{ role: 'user', content }]);
    if ((bid + 1) % EVERY === 0) await tell(`after ${bid + 1} varied ones`);
  }
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
