import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Client, createClient } from '../packages/client/src/index.ts';
import { createHealth, type Health } from './health.ts';
import { forgetToken } from './token.ts';

/** Who uses the page: a user of the demo by id, or somebody who signed in by token. */
export type Visitor =
  | { kind: 'demo'; user: string; apiKey: string }
  | { kind: 'signed in'; user: string; token: string };

/** One request to the service and what it answered. */
export interface Exchange {
  request: string;
  status: number;
  ms: number;
  requestId: string | null;
  /** The explanation of a null body, which travels in a header. */
  debugInfo: string | null;
}

/** A publisher's side of the chat: its client, and the last exchange with the service. */
export interface PublisherSession {
  client: Client;
  last(): Exchange | undefined;
}

export interface Session {
  visitor: Visitor;
  /** Calls as the visitor. */
  ads: Client;
  health: Health;
  /** Calls with a publisher's key. */
  withKey(apiKey: string): PublisherSession;
}

const conditionOf = ({ status }: Response) =>
  status === 401 ? 'signed out' : status >= 500 ? 'failing' : ('well' as const);

export function openSession(visitor: Visitor): Session {
  const health = createHealth();
  // Kept, one that the service takes no more would be tried again with every load.
  health.watch(() => health.now() === 'signed out' && forgetToken());
  const watched: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      health.report(conditionOf(response));
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) health.report('unreachable');
      throw error;
    }
  };
  const asSignedIn: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (visitor.kind === 'signed in') headers.set('authorization', `Bearer ${visitor.token}`);
    return watched(input, { ...init, headers });
  };
  return {
    visitor,
    health,
    ads: createClient({ baseUrl: '', fetch: asSignedIn, ...(visitor.kind === 'demo' && { userId: visitor.user }) }),
    withKey: (apiKey) => openPublisher(apiKey, watched),
  };
}

function openPublisher(apiKey: string, send: typeof fetch): PublisherSession {
  let last: Exchange | undefined;
  const timed: typeof fetch = async (input, init) => {
    const startedAt = performance.now();
    const response = await send(input, init);
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
  return { client: createClient({ baseUrl: '', apiKey, debug: true, fetch: timed }), last: () => last };
}

/** The session of the page; every part below the layout has one. */
export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A part of the page stands outside of the session');
  return session;
}
