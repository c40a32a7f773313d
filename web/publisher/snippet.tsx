import { useState } from 'preact/hooks';
import { Copy } from '../parts/copy.tsx';

const FORMS = ['TypeScript', 'curl'] as const;

interface SnippetProps {
  /** The full key, if it is known. */
  apiKey?: string;
  /** Whether the key has not been used yet. */
  isFirst?: boolean;
}

/** Sample code for a chat's server. */
export function Snippet({ apiKey = '<your API key>', isFirst = false }: SnippetProps) {
  const [form, setForm] = useState<(typeof FORMS)[number]>('TypeScript');
  const text = form === 'curl' ? curl(apiKey) : typescript(apiKey);
  return (
    <section class="card" aria-label="Snippet">
      <div class="card-head">
        <h2>{isFirst ? 'Send your first request' : 'In your chat’s server'}</h2>
        <fieldset class="choice" aria-label="Language of the snippet">
          {FORMS.map((name) => (
            <button key={name} type="button" aria-pressed={form === name} onClick={() => setForm(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <Copy text={text} what="snippet" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <small>
        The key stays on the server. <a href="/docs/publisher">How a chat shows ads</a>
      </small>
    </section>
  );
}

const typescript = (apiKey: string): string => `const ads = '${location.origin}/api/v1/ssp';
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
`;

const curl = (apiKey: string): string => `BID=$(curl -s ${location.origin}/api/v1/ssp/bid \\
  -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"countryCode": "US", "messages": [{"role": "user", "content": "Which running shoes should I buy?"}]}')
echo "$BID"
# null is no ad; else ask for it when it is shown:
ID=$(echo "$BID" | sed 's/.*"bidId":"\\([^"]*\\)".*/\\1/')
curl -s "${location.origin}/api/v1/ssp/ad/$ID" -H 'X-API-Key: ${apiKey}'
`;
