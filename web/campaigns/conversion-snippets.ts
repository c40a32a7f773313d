import type { Snippets } from '../parts/snippets.ts';

/** The conversion of the snippets and of the test button. */
export const SAMPLE = { conversionType: 'purchase', value: 89.9 } as const;

interface SnippetInput {
  origin: string;
  campaignId: string;
  /** The user that the service trusts by name. Null if it asks for a token. */
  user: string | null;
}

/** The header that says who sends the conversion, in each language. */
const signIn = (user: string | null) =>
  user === null
    ? {
        curl: '"Authorization: Bearer $ADS_TOKEN"',
        TypeScript: "authorization: 'Bearer ' + process.env.ADS_TOKEN",
        Python: '"authorization": "Bearer " + os.environ["ADS_TOKEN"]',
      }
    : { curl: `'x-user-id: ${user}'`, TypeScript: `'x-user-id': '${user}'`, Python: `"x-user-id": "${user}"` };

/** Code for an advertiser's server: it sends a test, and has a function that reports sales. Also in docs/conversions.md. */
export function getConversionSnippets({ origin, campaignId, user }: SnippetInput): Snippets {
  const address = `${origin}/api/v1/conversions`;
  const { conversionType, value } = SAMPLE;
  const signedIn = signIn(user);
  return {
    curl: `send() {
  curl -sSf "${address}$1" -d "$2" \\
    -H ${signedIn.curl} -H 'Content-Type: application/json'
}

# For each sale
report_purchase() {
  send '' "{\\"clickId\\": \\"$1\\", \\"conversionId\\": \\"$2\\",
    \\"conversionType\\": \\"${conversionType}\\", \\"value\\": $3}"
}

# A test counts nowhere
send /test '{"campaignId": "${campaignId}",
  "conversionType": "${conversionType}", "value": ${value}}'
`,
    TypeScript: `const address = '${address}';
const headers = {
  ${signedIn.TypeScript},
  'content-type': 'application/json',
};

async function send(path: string, conversion: object) {
  const body = JSON.stringify(conversion);
  const response = await fetch(address + path, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
  return response.json();
}

// For each sale
export const reportPurchase = (clickId: string, conversionId: string, value: number) =>
  send('', { clickId, conversionId, conversionType: '${conversionType}', value });

// A test counts nowhere
console.log(await send('/test', {
  campaignId: '${campaignId}', conversionType: '${conversionType}', value: ${value},
}));
`,
    Python: `import json${user === null ? ', os' : ''}
from urllib.request import Request, urlopen

ADDRESS = "${address}"
HEADERS = {
    ${signedIn.Python},
    "content-type": "application/json",
}

def send(path, conversion):
    request = Request(ADDRESS + path, json.dumps(conversion).encode(), HEADERS)
    with urlopen(request, timeout=10) as response:
        return json.load(response)

# For each sale
def report_purchase(click_id, order, value):
    return send("", {"clickId": click_id, "conversionId": order,
                     "conversionType": "${conversionType}", "value": value})

# A test counts nowhere
print(send("/test", {"campaignId": "${campaignId}",
                     "conversionType": "${conversionType}", "value": ${value}}))
`,
  };
}
