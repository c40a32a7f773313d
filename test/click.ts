import { createClient } from '../packages/client/src/index.ts';

/** The line of the snippet for conversions in which a reader sets the IDs of a sale. */
export const PLACEHOLDERS = /^CLICK_ID=.*$/m;

/** Clicks an ad for running shoes. Resolves to the ID of the click, from the URL of the landing page. */
export async function click(origin: string, key: string): Promise<string> {
  const ads = createClient({ baseUrl: origin, apiKey: key });
  const messages = [{ role: 'user' as const, content: 'Which running shoes would you recommend for a beginner?' }];
  const bid = await ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US', messages } });
  const { redirectUrl } = await ads('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid!.bidId } });
  const { headers } = await fetch(origin + new URL(redirectUrl).pathname, { redirect: 'manual' });
  return new URL(headers.get('location')!).searchParams.get('click_id')!;
}
