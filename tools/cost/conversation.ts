import { call, gatewayEvent, REFRESH_MS } from './call.ts';
import { add, divide, type MeasuredStack, NO_USE, type TableUse } from './table-use.ts';

/** The use of a bid and its ad, without the workers that follow. */
interface Pair {
  /** Includes its share of catalog refreshes. */
  bid: TableUse;
  ad: TableUse;
}

export interface ConversationCounts {
  /** Without a conversation id or a limit. */
  unnamed: Pair;
  /** With a conversation id, without a limit of ads. */
  unlimited: Pair;
  /** With a conversation id, and a limit of ads on the key. */
  limited: Pair;
}

/** More than twice as long as an instance caches the settings of a key. */
const SETTINGS_MS = 21_000;
const ADS = 5;

/** Measures ads in conversations with and without an id. */
export async function measureConversations({ stack, use, wait }: MeasuredStack): Promise<ConversationCounts> {
  const { body = '' } = gatewayEvent('ssp/bid');
  const limitAds = async (turnSpacing: number) => {
    await call(stack, 'api-keys/update', { body: JSON.stringify({ turnSpacing }) });
    wait(SETTINGS_MS);
  };
  let turn = 0;
  const measure = async (id?: string): Promise<Pair> => {
    let [bid, ad] = [NO_USE, NO_USE];
    let bidId = '';
    const makeBid = async () => {
      const request = { ...JSON.parse(body), ...(id && { conversation: { id, turn: ++turn } }) };
      ({ bidId } = JSON.parse(await call(stack, 'ssp/bid', { body: JSON.stringify(request) })));
    };
    for (const ms of [SETTINGS_MS, REFRESH_MS]) {
      await makeBid();
      wait(ms);
    }
    for (let n = 0; n < ADS; n++) {
      bid = add(bid, await use(makeBid));
      ad = add(ad, await use(() => call(stack, 'ssp/ad', { pathParameters: { bidId } })));
      wait(REFRESH_MS);
    }
    return { bid: divide(bid, ADS), ad: divide(ad, ADS) };
  };
  const unnamed = await measure();
  await limitAds(0); // the demo key has a limit from the start
  const unlimited = await measure('c-1');
  await limitAds(1);
  const limited = await measure('c-2');
  await limitAds(0); // other measurements use no limit
  return { unnamed, unlimited, limited };
}
