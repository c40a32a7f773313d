import type { Detail } from './errors.ts';

type Carrying = Pick<Request, 'url'> & { headers: Pick<Headers, 'get'> };

/** The credentials of a request by where they were sent; '' if absent. */
const readCredentials = ({ headers, url }: Carrying) => ({
  authorization: headers.get('authorization')?.trim() ?? '',
  apiKey: headers.get('x-api-key')?.trim() ?? '',
  query: new URL(url).searchParams.get('api_key')?.trim() ?? '',
  userId: headers.get('x-user-id')?.trim() ?? '',
});

/*
 * Each function names the header to send if a request has no credential where the operation reads one. A wrong credential gets no
 * explanation, because an attacker would learn from it. No response repeats a value from the request.
 */

/** For operations that read the key only from X-API-Key. */
export function explainMissingKey(request: Carrying): Detail[] | undefined {
  const { apiKey, authorization, query } = readCredentials(request);
  if (apiKey) return undefined;
  const elsewhere = authorization ? ', not in Authorization' : query ? ', not in the query' : '';
  return [{ path: 'X-API-Key', message: `Send the API key in the header X-API-Key${elsewhere}` }];
}

/** For operations that read the key from three places. An Authorization header counts only with the scheme Bearer. */
export function explainMissingLegacyKey(request: Carrying): Detail[] | undefined {
  const { apiKey, authorization, query } = readCredentials(request);
  if (apiKey || query || /^Bearer +\S/i.test(authorization)) return undefined;
  const message =
    'Send the API key as Authorization: Bearer <key>, in the header x-api-key, or in the query parameter api_key';
  return [{ path: 'Authorization', message }];
}

/** For operations that read the owner from x-user-id. */
export function explainMissingOwner(request: Carrying): Detail[] | undefined {
  const { userId, apiKey, authorization } = readCredentials(request);
  if (userId) return undefined;
  const instead = apiKey || authorization ? ', not an API key' : '';
  return [{ path: 'x-user-id', message: `Send the user ID in the header x-user-id${instead}` }];
}
