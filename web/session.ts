import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Client, createClient } from '../packages/client/src/index.ts';
import { type Condition, createHealth, type Health } from './health.ts';
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
  /** Calls with a publisher's key. @param onRefused hears that the key is accepted no more */
  withKey(apiKey: string, onRefused: () => void): PublisherSession;
}

const conditionOfService = ({ status }: Response): Condition => (status >= 500 ? 'failing' : 'well');
/** What a visitor's own call says; a 401 of a publisher's key says nothing of who is signed in. */
const conditionOfVisitor = (response: Response): Condition =>
  response.status === 401 ? 'signed out' : conditionOfService(response);

export function openSession(visitor: Visitor): Session {
  const probe = createClient({ baseUrl: '', retries: 0 });
  const health = createHealth(() =>
    probe('GET /api/v1/health').then(
      () => true,
      () => false,
    ),
  );
  // Kept, one that the service takes no more would be tried again with every load.
  health.watch(() => health.now() === 'signed out' && forgetToken());
  const watched =
    (conditionOf: (response: Response) => Condition): typeof fetch =>
    async (input, init) => {
      try {
        const response = await fetch(input, init);
        health.report(conditionOf(response));
        return response;
      } catch (error) {
        health.report('unreachable'); // also where it was waited for too long
        throw error;
      }
    };
  const asVisitor = watched(conditionOfVisitor);
  const asPublisher = watched(conditionOfService);
  const asSignedIn: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (visitor.kind === 'signed in') headers.set('authorization', `Bearer ${visitor.token}`);
    return asVisitor(input, { ...init, headers });
  };
  return {
    visitor,
    health,
    ads: createClient({ baseUrl: '', fetch: asSignedIn, ...(visitor.kind === 'demo' && { userId: visitor.user }) }),
    withKey: (apiKey, onRefused) => openPublisher(apiKey, asPublisher, onRefused),
  };
}

function openPublisher(apiKey: string, send: typeof fetch, onRefused: () => void): PublisherSession {
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
    if (response.status === 401) onRefused();
    return response;
  };
  return { client: createClient({ baseUrl: '', apiKey, debug: true, fetch: timed }), last: () => last };
}

/** The session of the page; every part below the layout has one. */
export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This component is used outside a session');
  return session;
}
