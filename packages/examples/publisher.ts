import { type ConversationMessage, createClient } from '../client/src/index.ts';

const ads = createClient(); // takes ADS_URL and ADS_KEY from the environment
const messages: ConversationMessage[] = [
  { role: 'user', content: 'I signed up for my first 10k and my feet hurt already.' },
  { role: 'assistant', content: 'Congratulations! Worn-out shoes are often the cause.' },
  { role: 'user', content: 'Which running shoes would you recommend for a beginner?' },
];

// A bid is a CPM in USD. There is no bid if no ad fits. A bid is valid for five minutes.
const bid = await ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US', messages } });
if (bid && bid.bid >= 0.5) {
  // Requesting the ad counts as the impression: request it when you show it.
  const ad = await ads('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid.bidId } });
  console.log(`Sponsored · ${ad.nativeAd.ext.disclosure.advertiser}\n${ad.adText}\n${ad.redirectUrl}`);
}
