import { call, gatewayEvent, REFRESH_MS } from './call.ts';
import { add, divide, type MeasuredStack, NO_USE, type TableUse } from './table-use.ts';

/** What a bid and its ad use, without what follows them. */
interface Pair {
  /** With its share of keeping up with the campaigns. */
  bid: TableUse;
  ad: TableUse;
}

export interface ConversationCounts {
  /** Neither names its conversation nor has a limit there. */
  unnamed: Pair;
  /** Names one, and nothing limits the ads in it. */
  unlimited: Pair;
  /** Names one in which its key limits the ads. */
  limited: Pair;
}

/** Longer than an instance goes by a key's settings as it read them, in two looks. */
const SETTINGS_MS = 21_000;
const ADS = 5;

/** Has ads be shown in conversations that are named, and in one that is not. */
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
  await limitAds(0); // the demo's key has a limit from the start
  const unlimited = await measure('c-1');
  await limitAds(1);
  const limited = await measure('c-2');
  await limitAds(0); // what else is measured knows no limit
  return { unnamed, unlimited, limited };
}
