import { type Client, createClient } from '../packages/client/src/index.ts';

/** Whose key and campaigns the page works with. */
export interface Identity {
  apiKey: string;
  advertiser: string;
}

/** One request to the service and what it answered. */
export interface Exchange {
  request: string;
  status: number;
  ms: number;
  requestId: string | null;
  /** The explanation of a null body, which travels in a header. */
  debugInfo: string | null;
}

export interface Session {
  identity: Identity;
  publisher: Client;
  advertiser: Client;
  /** The last exchange with the service. */
  last(): Exchange | undefined;
}

const KEPT = 'identity';

/** The identity that the visitor gave, or the demo's, or nobody's. */
export async function knownIdentity(): Promise<Identity | null> {
  const kept = sessionStorage.getItem(KEPT);
  if (kept) return JSON.parse(kept);
  const response = await fetch('/assets/demo.json');
  return response.ok ? response.json() : null;
}

export function keepIdentity(identity: Identity): void {
  sessionStorage.setItem(KEPT, JSON.stringify(identity));
}

export function openSession(identity: Identity): Session {
  let last: Exchange | undefined;
  const timed: typeof fetch = async (input, init) => {
    const startedAt = performance.now();
    const response = await fetch(input, init);
    last = {
      request: `${init?.method} ${input}`,
      // What leads elsewhere is hidden from scripts; the service does so with a 302 alone.
      status: response.type === 'opaqueredirect' ? 302 : response.status,
      ms: Math.round(performance.now() - startedAt),
      requestId: response.headers.get('x-request-id'),
      debugInfo: response.headers.get('x-debug-info'),
    };
    return response;
  };
  const options = { baseUrl: '', fetch: timed };
  return {
    identity,
    publisher: createClient({ ...options, apiKey: identity.apiKey, debug: true }),
    advertiser: createClient({ ...options, userId: identity.advertiser }),
    last: () => last,
  };
}
