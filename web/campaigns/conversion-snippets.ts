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

/** Code for an advertiser's server: a test that it sends as it is, then a sale. Also in docs/conversions.md. */
export function getConversionSnippets({ origin, campaignId, user }: SnippetInput): Snippets {
  const address = `${origin}/api/v1/conversions`;
  const { conversionType, value } = SAMPLE;
  const signedIn = signIn(user);
  return {
    curl: `# A test counts nowhere
curl -sS --fail-with-body ${address}/test \\
  -H ${signedIn.curl} -H 'Content-Type: application/json' \\
  -d '{"campaignId": "${campaignId}", "conversionType": "${conversionType}", "value": ${value}}'

# A sale
CLICK_ID=your-click-id ORDER_ID=your-order-id
curl -sS --fail-with-body ${address} \\
  -H ${signedIn.curl} -H 'Content-Type: application/json' -d @- <<END
{"clickId": "$CLICK_ID", "conversionId": "$ORDER_ID", "conversionType": "${conversionType}", "value": ${value}}
END
`,
    TypeScript: `async function send(path: string, conversion: object) {
  const response = await fetch('${address}' + path, {
    method: 'POST',
    headers: { ${signedIn.TypeScript}, 'content-type': 'application/json' },
    body: JSON.stringify(conversion),
  });
  if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
  return response.json();
}

// A test counts nowhere
const test = { campaignId: '${campaignId}', conversionType: '${conversionType}', value: ${value} };
console.log(await send('/test', test));

// For each sale
export const reportSale = (clickId: string, orderId: string, value: number) =>
  send('', { clickId, conversionId: orderId, conversionType: '${conversionType}', value });
`,
    Python: `import json${user === null ? ', os' : ''}
from urllib.error import HTTPError
from urllib.request import Request, urlopen

def send(path, conversion):
    headers = {${signedIn.Python}, "content-type": "application/json"}
    body = json.dumps(conversion).encode()
    request = Request("${address}" + path, body, headers)
    try:
        return json.load(urlopen(request, timeout=10))
    except HTTPError as error:
        raise RuntimeError(f"{error.code}: {error.read().decode()}") from None

# A test counts nowhere
test = {"campaignId": "${campaignId}", "conversionType": "${conversionType}", "value": ${value}}
print(send("/test", test))

# For each sale
def report_sale(click_id, order_id, value):
    return send("", {"clickId": click_id, "conversionId": order_id,
                     "conversionType": "${conversionType}", "value": value})
`,
  };
}
