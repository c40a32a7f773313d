import { useState } from 'preact/hooks';
import type { Exchange, Session } from '../session.ts';
import { inWords } from '../words.ts';
import type { Ad, BidBody, Debug, PerformanceBody } from './bodies.ts';
import type { SampleMessage } from './samples.ts';

/** What happened to one conversation, step by step. */
export interface Happening {
  messages: readonly SampleMessage[];
  exchanges: Exchange[];
  bid: BidBody | null;
  debug: Debug | null;
  ad: Ad | null;
  clicked: boolean;
  /** The counts of the campaign that won, where it is the visitor's own. */
  performance: PerformanceBody | null;
}

const COUNTED_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 400;

/** The way of an ad: a conversation becomes a bid, the bid an ad, the ad a click. */
export function useBidding(session: Session) {
  const [happening, setHappening] = useState<Happening | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    await act().catch((error) => setProblem(inWords(error)));
    setBusy(false);
  };

  const ask = (messages: readonly SampleMessage[], countryCode: string) =>
    attempt(async () => {
      const exchanges: Exchange[] = [];
      const bid = await session.publisher('POST /api/v1/ssp/bid', { body: { countryCode, messages: [...messages] } });
      const answered = session.last()!;
      exchanges.push(answered);
      const debug: Debug | null = bid?.debug ?? (answered.debugInfo ? JSON.parse(answered.debugInfo) : null);
      const found: Happening = { messages, exchanges, bid, debug, ad: null, clicked: false, performance: null };
      setHappening(found);
      if (!bid) return;
      const ad = await session.publisher('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid.bidId } });
      setHappening({ ...found, ad, exchanges: [...exchanges, session.last()!] });
    });

  const click = () =>
    attempt(async () => {
      if (!happening?.ad) return;
      const trackingId = new URL(happening.ad.redirectUrl).pathname.split('/').at(-1)!;
      await session.publisher('GET /api/v1/click/{trackingId}', { params: { trackingId } });
      const clicked: Happening = { ...happening, clicked: true, exchanges: [...happening.exchanges, session.last()!] };
      setHappening(clicked);
      const performance = await countedClick(session, happening.debug?.campaignId);
      setHappening({ ...clicked, performance });
    });

  return { happening, problem, isBusy, ask, click };
}

/** The campaign's counts once they hold what was clicked; null where the campaign is somebody else's. */
async function countedClick({ advertiser }: Session, id: string | null | undefined): Promise<PerformanceBody | null> {
  if (!id) return null;
  let before: number | undefined;
  for (const until = Date.now() + COUNTED_WITHIN_MS; ; ) {
    const campaign = await advertiser('GET /api/v1/campaigns/{id}', { params: { id } }).catch(() => null);
    if (!campaign) return null;
    before ??= campaign.performance.clicks;
    if (campaign.performance.clicks > before || Date.now() > until) return campaign.performance;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
