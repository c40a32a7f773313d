import { AdsError } from '../../packages/client/src/index.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';
import type { Exchange, PublisherSession, Session } from '../session.ts';
import type { Ad, BidBody, Debug, PerformanceBody } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

/** Number of requests for an ad's link, by result, as shown to the key's owner. */
type Attempts = NonNullable<Ad['debug']>['clicks'];

/** The result of a click. */
export type ClickResult =
  | { kind: 'counted'; performance: PerformanceBody }
  /** Counted, but the campaign belongs to another user, so its figures are hidden. */
  | { kind: 'hidden' }
  /** Counted, but the campaign's figures do not include it yet. */
  | { kind: 'pending' }
  | { kind: 'test' }
  /** The result could not be read. */
  | { kind: 'unknown' }
  | { kind: Exclude<keyof Attempts, 'valid'> };

/** What happened to a conversation, step by step. */
export interface Happening {
  exchanges: readonly Exchange[];
  bid: BidBody | null;
  debug: Debug | null;
  ad: Ad | null;
  /** The click attempts seen so far. */
  attempts: Attempts | null;
  click: ClickResult | null;
  /** Whether the reader has reported that the ad is not relevant. */
  isRejected: boolean;
}

const COUNTED_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 400;

/** Requests a bid for a conversation, then the ad of the bid. Reports each step when it is done. */
export async function bidFor(
  { client, last }: PublisherSession,
  messages: readonly SampleMessage[],
  countryCode: string,
  report: (happening: Happening) => void,
): Promise<void> {
  const bid = await client('POST /api/v1/ssp/bid', { body: { countryCode, messages: [...messages] } });
  const answered = last()!;
  const debug: Debug | null = bid?.debug ?? (answered.debugInfo ? JSON.parse(answered.debugInfo) : null);
  const found: Happening = {
    exchanges: [answered],
    bid,
    debug,
    ad: null,
    attempts: null,
    click: null,
    isRejected: false,
  };
  report(found);
  if (!bid) return;
  const ad = await client('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid.bidId } });
  report({ ...found, ad, attempts: ad.debug?.clicks ?? null, exchanges: [answered, last()!] });
}

interface ClickInput {
  session: Session;
  publisher: PublisherSession;
  happening: Happening;
  isTest: boolean;
}

/** Follows an ad's link without leaving the page. */
export async function clickAd({ session, publisher, happening, isTest }: ClickInput): Promise<Happening> {
  const { ad, bid, debug, exchanges } = happening;
  if (!ad || !bid) return happening;
  const clicksBefore = (await getPerformance(session, debug))?.clicks;
  const trackingId = new URL(ad.redirectUrl).pathname.split('/').at(-1)!;
  await publisher.client('GET /api/v1/click/{trackingId}', { params: { trackingId } });
  const clicked = { ...happening, exchanges: [...exchanges, publisher.last()!] };
  const attempts = await getAttempts(publisher, bid.bidId);
  if (!attempts) return { ...clicked, click: { kind: 'unknown' } };
  const kind = newAmong(attempts, happening.attempts);
  if (kind !== 'valid') return { ...clicked, attempts, click: { kind } };
  const click = isTest ? { kind: 'test' as const } : await countedClick(session, debug, clicksBefore);
  return { ...clicked, attempts, click };
}

/** Reports that the ad is not relevant, as its reader would. */
export async function rejectAd({ client, last }: PublisherSession, happening: Happening): Promise<Happening> {
  const token = happening.ad?.feedbackUrl?.split('/').at(-1);
  if (!token) return happening;
  await client('POST /api/v1/feedback/{token}', { params: { token } });
  return { ...happening, isRejected: true, exchanges: [...happening.exchanges, last()!] };
}

/** Reads the click attempts from the ad's debug information, or from the error if the ad has expired. The click itself does not report its result. */
const getAttempts = (publisher: PublisherSession, bidId: string): Promise<Attempts | undefined> =>
  publisher.client('GET /api/v1/ssp/ad/{bidId}', { params: { bidId } }).then(
    ({ debug }) => debug?.clicks,
    (error) => (error instanceof AdsError ? (error.debug.clicks as Attempts | undefined) : undefined),
  );

/** Finds the count that has increased. */
function newAmong(now: Attempts, before: Attempts | null): keyof Attempts | 'unknown' {
  return getKeys(now).find((kind) => now[kind] > (before?.[kind] ?? 0)) ?? 'unknown';
}

async function getPerformance({ ads }: Session, debug: Debug | null): Promise<PerformanceBody | undefined> {
  if (!debug?.campaignId) return undefined;
  const campaign = await ads('GET /api/v1/campaigns/{id}', { params: { id: debug.campaignId } }).catch(() => undefined);
  return campaign?.performance;
}

/** Waits until the campaign's figures include the valid click. */
async function countedClick(session: Session, debug: Debug | null, before: number | undefined): Promise<ClickResult> {
  if (before === undefined) return { kind: 'hidden' };
  for (const until = Date.now() + COUNTED_WITHIN_MS; Date.now() < until; ) {
    const performance = await getPerformance(session, debug);
    if (performance && performance.clicks > before) return { kind: 'counted', performance };
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return { kind: 'pending' };
}
