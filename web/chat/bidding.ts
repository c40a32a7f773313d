import type { Exchange, PublisherSession, Session } from '../session.ts';
import type { Ad, BidBody, Debug, PerformanceBody } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

/** What became of a click. */
export type ClickResult =
  | { kind: 'counted'; performance: PerformanceBody }
  /** The campaign is another user's, who alone sees its counts. */
  | { kind: 'not to be seen' }
  | { kind: 'repeated' }
  | { kind: 'test' }
  | { kind: 'not counted' };

/** What happened to one conversation, step by step. */
export interface Happening {
  exchanges: readonly Exchange[];
  bid: BidBody | null;
  debug: Debug | null;
  ad: Ad | null;
  click: ClickResult | null;
}

const COUNTED_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 400;

/** A conversation becomes a bid, and the bid an ad; each step is told as soon as it is known. */
export async function bidFor(
  { client, last }: PublisherSession,
  messages: readonly SampleMessage[],
  countryCode: string,
  tell: (happening: Happening) => void,
): Promise<void> {
  const bid = await client('POST /api/v1/ssp/bid', { body: { countryCode, messages: [...messages] } });
  const answered = last()!;
  const debug: Debug | null = bid?.debug ?? (answered.debugInfo ? JSON.parse(answered.debugInfo) : null);
  const found: Happening = { exchanges: [answered], bid, debug, ad: null, click: null };
  tell(found);
  if (!bid) return;
  const ad = await client('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid.bidId } });
  tell({ ...found, ad, exchanges: [answered, last()!] });
}

interface ClickInput {
  session: Session;
  publisher: PublisherSession;
  happening: Happening;
  isTest: boolean;
}

/** Follows an ad's link without leaving the page. */
export async function clickAd({ session, publisher, happening, isTest }: ClickInput): Promise<Happening> {
  const { ad, debug, exchanges } = happening;
  if (!ad) return happening;
  const clicksBefore = (await performanceOf(session, debug))?.clicks;
  const trackingId = new URL(ad.redirectUrl).pathname.split('/').at(-1)!;
  await publisher.client('GET /api/v1/click/{trackingId}', { params: { trackingId } });
  const click = happening.click
    ? { kind: 'repeated' as const }
    : isTest
      ? { kind: 'test' as const }
      : await countedClick(session, debug, clicksBefore);
  return { ...happening, click, exchanges: [...exchanges, publisher.last()!] };
}

async function performanceOf({ ads }: Session, debug: Debug | null): Promise<PerformanceBody | undefined> {
  if (!debug?.campaignId) return undefined;
  const campaign = await ads('GET /api/v1/campaigns/{id}', { params: { id: debug.campaignId } }).catch(() => undefined);
  return campaign?.performance;
}

/** Waits until the campaign's counts hold the click. */
async function countedClick(session: Session, debug: Debug | null, before: number | undefined): Promise<ClickResult> {
  if (before === undefined) return { kind: 'not to be seen' };
  for (const until = Date.now() + COUNTED_WITHIN_MS; Date.now() < until; ) {
    const performance = await performanceOf(session, debug);
    if (performance && performance.clicks > before) return { kind: 'counted', performance };
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return { kind: 'not counted' };
}
