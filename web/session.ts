import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Client, createClient } from '../packages/client/src/index.ts';
import { createDeletions, type Deletions } from './deletions/deletions.ts';
import { type Condition, createHealth, type Health } from './health.ts';
import type { Toasts } from './toasts.ts';
import { forgetToken } from './token.ts';

/** The user of the page: a demo user by ID, or a signed-in user by token. */
export type Visitor =
  | { kind: 'demo'; user: string; apiKey: string }
  | { kind: 'signed in'; user: string; token: string };

/** A request to the service and its response. */
export interface Exchange {
  request: string;
  status: number;
  ms: number;
  requestId: string | null;
  /** Debug information of a response without a body, from its header. */
  debugInfo: string | null;
}

/** A publisher's client and its last exchange. */
export interface PublisherSession {
  client: Client;
  last(): Exchange | undefined;
}

export interface Session {
  visitor: Visitor;
  /** Client with the visitor's credentials. */
  ads: Client;
  health: Health;
  deletions: Deletions;
  toasts: Toasts;
  /** Opens a client with a publisher's key. @param onRefused called when the key is rejected */
  withKey(apiKey: string, onRefused: () => void): PublisherSession;
}

const conditionOfService = ({ status }: Response): Condition => (status >= 500 ? 'failing' : 'well');
/** The condition after the visitor's own request. A 401 for a publisher's key does not mean that the visitor is signed out. */
const conditionOfVisitor = (response: Response): Condition =>
  response.status === 401 ? 'signed out' : conditionOfService(response);

/** How long to wait after a 429 that does not say it. */
const REFUSED_MS = 10_000;

/** @param toasts those of the desk, which stay when another user takes over */
export function openSession(visitor: Visitor, toasts: Toasts): Session {
  const probe = createClient({ baseUrl: '', retries: 0 });
  const health = createHealth(() =>
    probe('GET /api/v1/health').then(
      () => true,
      () => false,
    ),
  );
  // Forget a rejected token, or every reload would send it again.
  health.watch(() => health.now() === 'signed out' && forgetToken());
  const watched =
    (toCondition: (response: Response) => Condition): typeof fetch =>
    async (input, init) => {
      try {
        const response = await fetch(input, init);
        health.report(toCondition(response));
        return response;
      } catch (error) {
        health.report('unreachable'); // also after a timeout
        throw error;
      }
    };
  const asVisitor = watched(conditionOfVisitor);
  const asPublisher = watched(conditionOfService);
  const asSignedIn: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (visitor.kind === 'signed in') headers.set('authorization', `Bearer ${visitor.token}`);
    // A deletion also arrives if the visitor leaves the desk now.
    const response = await asVisitor(input, { ...init, headers, keepalive: init?.method === 'DELETE' });
    if (response.status === 429) health.refuse(Number(response.headers.get('retry-after')) * 1_000 || REFUSED_MS);
    return response;
  };
  return {
    visitor,
    health,
    deletions: createDeletions(health, toasts),
    toasts,
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
      // The browser hides redirects from scripts. The service's only redirect is a 302.
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

/** Provided by the layout to every part of the page. */
export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This component is used outside a session');
  return session;
}
