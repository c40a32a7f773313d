import { AdsError, type Result } from '../../client/src/index.ts';
import type { SponsoredAd } from './part.ts';
import type { BidTokens } from './token.ts';

export type Ad = Result<'GET /api/v1/ssp/ad/{bidId}'>;

/** About ten times the size of a token. */
const MAX_BODY_BYTES = 1_024;
/** Types of data assets (OpenRTB Native 1.2). */
const DESCRIPTION = 2;
const CALL_TO_ACTION = 12;

/** Returns the ad for the card's token. Fetching the ad counts as the impression. */
export async function answerCard(
  request: Request,
  tokens: BidTokens,
  fetchAd: (bidId: string) => Promise<Ad>,
  onError: (error: unknown) => void,
): Promise<Response> {
  if (request.method !== 'POST') return refuse(405, 'This route only accepts POST', { allow: 'POST' });
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return refuse(413, 'The body is too large');
  const bidId = await tokens.verify(await readToken(request));
  if (!bidId) return refuse(404, 'Ad not found');
  try {
    return Response.json(toSponsoredAd(await fetchAd(bidId)), { headers: NO_STORE });
  } catch (error) {
    if (error instanceof AdsError && error.status === 404) return refuse(404, 'The ad has expired');
    onError(error);
    return refuse(503, 'The ad is temporarily unavailable', { 'retry-after': '5' });
  }
}

const NO_STORE = { 'cache-control': 'no-store' };
const refuse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ statusCode: status, message }, { status, headers: { ...NO_STORE, ...headers } });

/** Reads the token from the body. Empty if the body is malformed. */
async function readToken(request: Request): Promise<string> {
  try {
    const { token } = JSON.parse(await request.text());
    return typeof token === 'string' ? token : '';
  } catch {
    return '';
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
