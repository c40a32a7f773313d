import { type Ad, AdsError } from '../../client/src/index.ts';
import type { CardEvent } from './events.ts';
import type { SponsoredAd } from './part.ts';
import type { BidTokens } from './token.ts';

/** About ten times the size of a token. */
const MAX_BODY_BYTES = 1_024;
/** Types of data assets (OpenRTB Native 1.2). */
const DESCRIPTION = 2;
const CALL_TO_ACTION = 12;

interface CardHandlers {
  fetchAd: (bidId: string) => Promise<Ad>;
  /** Absent if nobody listens. Then the card reports nothing. */
  onEvent: ((event: CardEvent) => void) | undefined;
  onError: (error: unknown) => void;
}

/** Returns the ad for the card's token, which counts as the impression. If the body names an event, only hands it to `onEvent`. */
export async function answerCard(
  request: Request,
  tokens: BidTokens,
  { fetchAd, onEvent, onError }: CardHandlers,
): Promise<Response> {
  if (request.method !== 'POST') return refuse(405, 'This route only accepts POST', { allow: 'POST' });
  const text = await readText(request);
  if (text === undefined) return refuse(413, 'The body is too large');
  const { token, event } = parseBody(text);
  const bidId = await tokens.verify(token);
  if (!bidId) return refuse(404, 'Ad not found');
  if (event !== undefined) {
    if (event !== 'viewed' && event !== 'clicked') return refuse(400, 'The event must be viewed or clicked');
    onEvent?.({ type: event, bidId });
    return new Response(null, { status: 204, headers: NO_STORE });
  }
  try {
    const ad = { ...toSponsoredAd(await fetchAd(bidId)), ...(onEvent && { reportsEvents: true }) };
    return Response.json(ad, { headers: NO_STORE });
  } catch (error) {
    if (error instanceof AdsError && error.status === 404) return refuse(404, 'The ad has expired');
    onError(error);
    return refuse(503, 'The ad is temporarily unavailable', { 'retry-after': '5' });
  }
}

const NO_STORE = { 'cache-control': 'no-store' };
const refuse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ statusCode: status, message }, { status, headers: { ...NO_STORE, ...headers } });

/** Reads the body; undefined if it is too large, whether or not its length was announced. Empty if it cannot be read. */
async function readText({ headers, body }: Request): Promise<string | undefined> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return undefined;
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return text + decoder.decode();
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
      if (bytes > MAX_BODY_BYTES) {
        reader?.cancel().catch(() => {});
        return undefined;
      }
    }
  } catch {
    return '';
  }
}

/** The token is empty if the body is malformed. */
function parseBody(text: string): { token: string; event?: unknown } {
  try {
    const { token, event } = JSON.parse(text);
    return { token: typeof token === 'string' ? token : '', event };
  } catch {
    return { token: '' };
  }
}

export function toSponsoredAd({ adText, redirectUrl, imageUrl, nativeAd, feedbackUrl, viewableUrl }: Ad): SponsoredAd {
  const getData = (type: number) => nativeAd.assets.find(({ data }) => data?.type === type)?.data?.value ?? '';
  return {
    disclosure: nativeAd.ext.disclosure.label,
    advertiser: nativeAd.ext.disclosure.advertiser,
    headline: nativeAd.assets.find(({ title }) => title)?.title?.text ?? adText,
    description: getData(DESCRIPTION),
    callToAction: getData(CALL_TO_ACTION),
    ...(imageUrl && { imageUrl }),
    url: redirectUrl,
    ...(feedbackUrl && { feedbackUrl }),
    ...(viewableUrl && { viewableUrl }),
  };
}
