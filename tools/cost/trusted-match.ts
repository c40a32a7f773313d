import { call, gatewayEvent, REFRESH_MS } from './call.ts';
import type { MeasuredStack, TableUse } from './table-use.ts';

/** What an offer of Trusted Match uses, and a click that nobody told of an impression before: it charges. */
export interface TrustedMatchCounts {
  /** With its share of keeping up with the campaigns. */
  offer: TableUse;
  /** Alone in its batch. */
  click: TableUse;
}

/** Longer than a refresh looks back. */
const QUIET_MS = 60_000;

/** Lets an offer be made and followed. */
export async function measureTrustedMatch({ stack, use, wait }: MeasuredStack): Promise<TrustedMatchCounts> {
  const { body } = gatewayEvent('trusted-match/context');
  let trackingId = '';
  const makeOffer = async () => {
    const [offer] = JSON.parse(await call(stack, 'trusted-match/context', { body })).offers;
    trackingId = offer.creative_manifest.assets.landing_page_url.url.replace(/.*\//, '');
  };
  for (const ms of [QUIET_MS, REFRESH_MS]) {
    await makeOffer();
    wait(ms);
  }
  const offer = await use(makeOffer);
  const click = await use(() =>
    call(stack, 'trusted-match/click', { pathParameters: { trackingId } }).then(stack.drainStreams),
  );
  return { offer, click };
}
