import { call, gatewayEvent, REFRESH_MS } from './call.ts';
import { add, divide, type MeasuredStack, NO_USE, type TableUse } from './table-use.ts';

/** The use of an OpenRTB bid and its notices. */
export interface ExchangeCounts {
  /** A bid request with one impression, including its share of catalog refreshes. */
  bid: TableUse;
  /** The same on an instance that has not cached the winner's creative. */
  unknownCreative: TableUse;
  /** The billing notice, including workers, in a shared batch. */
  charge: TableUse;
  /** A notice that only counts, alone in its batch. */
  notice: TableUse;
  /** Alone in its batch. */
  click: TableUse;
}

const CHARGES_IN_BATCH = 10;
/** Longer than the margin of a refresh. */
const QUIET_MS = 60_000;

/**
 * Measures the whole life of OpenRTB bids under a key that is billed by `burl`.
 * @param changeCreative creates a new creative version for the winning campaign
 */
export async function measureExchange(
  { stack, use, wait }: MeasuredStack,
  changeCreative: () => Promise<void>,
): Promise<ExchangeCounts> {
  const { tmax: _, ...request } = JSON.parse(gatewayEvent('openrtb2/bid').body ?? ''); // the meter is too slow for a deadline
  let id = '';
  const notices = { burl: '', impression: '' };
  const makeBid = async () => {
    const [bid] = JSON.parse(await call(stack, 'openrtb2/bid', { body: JSON.stringify(request) })).seatbid[0].bid;
    id = bid.id;
    notices.burl = bid.burl;
    notices.impression = JSON.parse(bid.adm).eventtrackers[0].url;
  };
  const tell = (notice: keyof typeof notices) => () =>
    call(stack, 'openrtb2/notice', { pathParameters: { token: notices[notice].replace(/.*\/|\?.*/g, '') } });

  for (const ms of [QUIET_MS, REFRESH_MS]) {
    await makeBid();
    wait(ms);
  }
  const bid = await use(makeBid);
  let charge: TableUse = NO_USE;
  for (let n = 0; n < CHARGES_IN_BATCH; n++) {
    await makeBid();
    charge = add(charge, await use(tell('burl')));
  }
  charge = divide(add(charge, await use(stack.drainStreams)), CHARGES_IN_BATCH);
  const followed = (act: () => Promise<unknown>) => use(() => act().then(stack.drainStreams));
  const notice = await followed(tell('impression'));
  const click = await followed(() => call(stack, 'click/redirect', { pathParameters: { trackingId: id } }));
  await changeCreative();
  wait(REFRESH_MS);
  return { bid, charge, notice, click, unknownCreative: await use(makeBid) };
}
