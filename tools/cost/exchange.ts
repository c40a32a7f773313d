import { call, gatewayEvent, REFRESH_MS } from './call.ts';
import { add, divide, type MeasuredStack, NO_USE, type TableUse } from './table-use.ts';

/** What a bid by OpenRTB uses, and what its exchange and its reader tell of it. */
export interface ExchangeCounts {
  /** One impression, with its share of keeping up with the campaigns. */
  bid: TableUse;
  /** The same on an instance that does not know the winner's creative yet. */
  unknownCreative: TableUse;
  /** The notice that charges, with what follows, sharing a batch. */
  charge: TableUse;
  /** A notice that only counts, alone in its batch. */
  notice: TableUse;
  /** Alone in its batch. */
  click: TableUse;
}

const CHARGES_IN_BATCH = 10;
/** Longer than a refresh looks back. */
const QUIET_MS = 60_000;

/**
 * Lets bids by OpenRTB live their whole lives under a key that is billed by `burl`.
 * @param changeCreative gives the campaign that wins a further version
 */
export async function measureExchange(
  { stack, use, wait }: MeasuredStack,
  changeCreative: () => Promise<void>,
): Promise<ExchangeCounts> {
  const { tmax: _, ...request } = JSON.parse(gatewayEvent('openrtb2/bid').body ?? ''); // a meter in between is slow
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
