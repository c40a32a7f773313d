import { call, gatewayEvent, REFRESH_MS } from './call.ts';
import type { MeasuredStack, TableUse } from './table-use.ts';

/** The use of a Trusted Match offer, and of its click, which charges because no impression was reported before. */
export interface TrustedMatchCounts {
  /** Includes its share of catalog refreshes. */
  offer: TableUse;
  /** Alone in its batch. */
  click: TableUse;
}

/** Longer than the margin of a refresh. */
const QUIET_MS = 60_000;

/** Measures an offer and its click. */
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
