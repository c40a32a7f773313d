import { AdsError } from '../../packages/client/src/index.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';
import type { Exchange, PublisherSession, Session } from '../session.ts';
import type { Ad, BidBody, Debug, PerformanceBody } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

/** What became of requests for an ad's link, as its key is told. */
type Attempts = NonNullable<Ad['debug']>['clicks'];

/** What became of a click. */
export type ClickResult =
  | { kind: 'counted'; performance: PerformanceBody }
  /** It counts; the figures of the campaign, which is another user's, are not shown to this one. */
  | { kind: 'not to be seen' }
  /** It counts, and the campaign's figures do not say so yet. */
  | { kind: 'late' }
  | { kind: 'test' }
  /** The service was not there to say it. */
  | { kind: 'untold' }
  | { kind: Exclude<keyof Attempts, 'valid'> };

/** What happened to one conversation, step by step. */
export interface Happening {
  exchanges: readonly Exchange[];
  bid: BidBody | null;
  debug: Debug | null;
  ad: Ad | null;
  /** The requests for its link that are told of. */
  attempts: Attempts | null;
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
  const found: Happening = { exchanges: [answered], bid, debug, ad: null, attempts: null, click: null };
  tell(found);
  if (!bid) return;
  const ad = await client('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid.bidId } });
  tell({ ...found, ad, attempts: ad.debug?.clicks ?? null, exchanges: [answered, last()!] });
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
  const clicksBefore = (await performanceOf(session, debug))?.clicks;
  const trackingId = new URL(ad.redirectUrl).pathname.split('/').at(-1)!;
  await publisher.client('GET /api/v1/click/{trackingId}', { params: { trackingId } });
  const clicked = { ...happening, exchanges: [...exchanges, publisher.last()!] };
  const attempts = await attemptsOf(publisher, bid.bidId);
  if (!attempts) return { ...clicked, click: { kind: 'untold' } };
  const kind = newAmong(attempts, happening.attempts);
  if (kind !== 'valid') return { ...clicked, attempts, click: { kind } };
  const click = isTest ? { kind: 'test' as const } : await countedClick(session, debug, clicksBefore);
  return { ...clicked, attempts, click };
}

/** What the service makes of each request for a link it does not tell who comes, but the ad's key: with the ad, or with the refusal of an expired one. */
const attemptsOf = (publisher: PublisherSession, bidId: string): Promise<Attempts | undefined> =>
  publisher.client('GET /api/v1/ssp/ad/{bidId}', { params: { bidId } }).then(
    ({ debug }) => debug?.clicks,
    (error) => (error instanceof AdsError ? (error.debug.clicks as Attempts | undefined) : undefined),
  );

/** What there is one more of. */
function newAmong(now: Attempts, before: Attempts | null): keyof Attempts | 'untold' {
  return getKeys(now).find((kind) => now[kind] > (before?.[kind] ?? 0)) ?? 'untold';
}

async function performanceOf({ ads }: Session, debug: Debug | null): Promise<PerformanceBody | undefined> {
  if (!debug?.campaignId) return undefined;
  const campaign = await ads('GET /api/v1/campaigns/{id}', { params: { id: debug.campaignId } }).catch(() => undefined);
  return campaign?.performance;
}

/** Waits until the campaign's counts hold the click, which is valid. */
async function countedClick(session: Session, debug: Debug | null, before: number | undefined): Promise<ClickResult> {
  if (before === undefined) return { kind: 'not to be seen' };
  for (const until = Date.now() + COUNTED_WITHIN_MS; Date.now() < until; ) {
    const performance = await performanceOf(session, debug);
    if (performance && performance.clicks > before) return { kind: 'counted', performance };
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return { kind: 'late' };
}
