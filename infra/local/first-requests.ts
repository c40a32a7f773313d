import type { Config } from '../../shared/platform/config.ts';
import { DEMO_ADVERTISER, type DemoAccounts } from './seed.ts';

export const SAMPLE_CONVERSATION = {
  countryCode: 'US',
  messages: [
    { role: 'user', content: 'I signed up for my first 10k and my feet hurt already.' },
    { role: 'assistant', content: 'Congratulations! Worn-out shoes are often the cause.' },
    { role: 'user', content: 'Which running shoes would you recommend for a beginner?' },
  ],
};

/** The output of `npm start`: commands for a bid, its ad, and its click, ready to paste. */
export function formatFirstRequests({ baseUrl }: Pick<Config, 'baseUrl'>, demo: DemoAccounts | undefined): string {
  if (!demo) return formatWithoutDemo(baseUrl);
  const { key, campaigns } = demo;
  const field = (name: string) => `sed -E 's/.*"${name}":"([^"]+)".*/\\1/'`;
  return `
The ad service runs at ${baseUrl} (stop it with Ctrl-C). Open it in a browser, or paste these commands one after the other:

# 1. Request a bid for a conversation
BID=$(curl -s ${baseUrl}/api/v1/ssp/bid -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(SAMPLE_CONVERSATION)}'); echo "$BID"

# 2. Get the ad of the bid
AD=$(curl -s ${baseUrl}/api/v1/ssp/ad/$(echo "$BID" | ${field('bidId')}) -H 'X-API-Key: ${key}'); echo "$AD"

# 3. Click the ad
curl -si $(echo "$AD" | ${field('redirectUrl')})

# 4. As the advertiser, see one impression, one click, and the spend (clicks are counted within two seconds)
sleep 2; curl -s ${baseUrl}/api/v1/campaigns/${campaigns[0]?.id} -H 'x-user-id: ${DEMO_ADVERTISER}'
`;
}

const formatWithoutDemo = (baseUrl: string): string => `
The ad service runs at ${baseUrl} (stop it with Ctrl-C). Demo data is off (DEMO_DATA), so create a key first:

KEY=$(curl -s ${baseUrl}/api/v1/auth/api-keys -H 'x-user-id: me' -H 'Content-Type: application/json' -d '{"name":"First key"}'); echo "$KEY"
`;
