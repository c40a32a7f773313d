import { workers } from '../../shared/http/operations/workers.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { call, createKeys, gatewayEvent } from './call.ts';
import { KEY_DAYS, TALLIES } from './key-reports.ts';
import { PAGES, TERMS } from './meter.ts';
import type { MeasuredStack, TableUse } from './table-use.ts';

/** Write units that breakdowns, or the terms by which campaigns won, add. */
export interface BreakdownCounts {
  /** For each bid, if seven keys share a batch, including its share of ads and clicks. */
  shared: number;
  /** For a step that is alone in its batches. */
  alone: Readonly<Record<'bid' | 'ad' | 'click', number>>;
}

const [{ gatherSeconds }] = workers['events/count-keys'].sources;
/** One second of traffic: the keys, the bids of each, and of the bids, those whose ad is shown. */
const [KEYS, BIDS_OF_KEY, BIDS_FOR_AD] = [7, 14, 5];
const COUNTRIES = [
  'US',
  'DE',
  'FR',
  'GB',
  'IN',
  'BR',
  'CA',
  'ES',
  'IT',
  'NL',
  'PL',
  'SE',
  'AT',
  'CH',
  'BE',
  'AU',
  'JP',
];
const VARIANTS = ['card', 'line', 'button', 'none at all'];

/**
 * What breakdowns add to the writes of a step that is alone in its batches: pages, and what the tally and the row of the key's day take
 * beyond one unit.
 */
export const toAloneUnits = ({ writesByTable }: TableUse): number =>
  (writesByTable[PAGES] ?? 0) +
  [TALLIES, KEY_DAYS].reduce((sum, table) => sum + Math.max(0, (writesByTable[table] ?? 0) - 1), 0);

/** What terms add to the writes of a step that is alone in its batches. */
export const toAloneTermUnits = ({ writesByTable }: TableUse): number => writesByTable[TERMS] ?? 0;

/**
 * Measures a second of traffic with many values, after seconds that filled the pages. Pages are written once per minute,
 * the tally once per second.
 */
export async function measureShared({
  stack,
  use,
  wait,
}: MeasuredStack): Promise<{ breakdowns: number; terms: number }> {
  const keys = await createKeys(stack, KEYS);
  const request = JSON.parse(gatewayEvent('ssp/bid').body ?? '');
  let at = 0;
  const makeBid = async (headers: Record<string, string>) => {
    const [countryCode, variant] = [COUNTRIES[at % COUNTRIES.length], VARIANTS[at % VARIANTS.length]];
    const body = JSON.stringify({ ...request, countryCode, variant, conversation: { id: `conversation ${at}` } });
    const { bidId } = JSON.parse(await call(stack, 'ssp/bid', { headers, body }));
    if (++at % BIDS_FOR_AD > 0) return;
    await call(stack, 'ssp/ad', { headers, pathParameters: { bidId } });
    if (at % (BIDS_FOR_AD * 50) === 0) await call(stack, 'click/redirect', { pathParameters: { trackingId: bidId } });
  };
  const spend = async () => {
    for (let bid = 0; bid < BIDS_OF_KEY; bid++) for (const key of keys) await makeBid(key);
    wait(MINUTE_MS);
  };
  for (let second = 0; second < 3; second++) {
    await spend();
    await stack.drainStreams();
  }
  await spend();
  const { writesByTable } = await use(stack.drainStreams);
  const tally = (writesByTable[TALLIES] ?? 0) - 1; // without breakdowns, it takes one unit
  const pages = (writesByTable[PAGES] ?? 0) + (writesByTable[KEY_DAYS] ?? 0) - KEYS;
  const bids = KEYS * BIDS_OF_KEY;
  return {
    breakdowns: (tally + pages / gatherSeconds) / bids,
    terms: (writesByTable[TERMS] ?? 0) / gatherSeconds / bids,
  };
}
