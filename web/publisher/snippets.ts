import type { Snippets } from '../parts/snippets.ts';

/** Sample code for a chat's server. */
export const getRequestSnippets = (origin: string, apiKey: string): Snippets => ({
  TypeScript: `const ads = '${origin}/api/v1/ssp';
const headers = { 'x-api-key': '${apiKey}', 'content-type': 'application/json' };

const read = async (answer: Response) => {
  if (!answer.ok) throw new Error(\`The ad service answered \${answer.status}: \${await answer.text()}\`);
  return answer.json();
};

// The conversation so far, after the model has answered.
const messages = [{ role: 'user', content: 'Which running shoes should I buy?' }];
const body = JSON.stringify({ countryCode: 'US', messages });
const bid = await fetch(\`\${ads}/bid\`, { method: 'POST', headers, body }).then(read);

// Requesting the ad counts as the impression: request it when you show it, labeled as Sponsored.
if (bid) {
  const ad = await fetch(\`\${ads}/ad/\${bid.bidId}\`, { headers }).then(read);
  console.log(ad.adText, ad.redirectUrl);
}
`,
  curl: `BID=$(curl -s ${origin}/api/v1/ssp/bid \\
  -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"countryCode": "US", "messages": [{"role": "user", "content": "Which running shoes should I buy?"}]}')
echo "$BID"
# null is no ad; else ask for it when it is shown:
ID=$(echo "$BID" | sed 's/.*"bidId":"\\([^"]*\\)".*/\\1/')
curl -s "${origin}/api/v1/ssp/ad/$ID" -H 'X-API-Key: ${apiKey}'
`,
});
