import { VERSION } from './version.ts';

/** The runtime's globals. Not every runtime has them, and TypeScript knows them only with Node's or the browser's types. */
interface Runtime {
  process?: { env?: Record<string, string | undefined> };
  navigator?: { userAgent?: string };
}

const runtime: Runtime & typeof globalThis = globalThis;

/**
 * Reads an environment variable. Undefined if it is unset or blank, or in a runtime without them, such as a browser. Bundlers replace
 * `process.env.NAME` with its value: read this way, a key that is set while a web page is built never becomes part of the page.
 */
export const readEnvironment = (name: string): string | undefined => runtime.process?.env?.[name]?.trim() || undefined;

/**
 * The User-Agent of this client, after the caller's own products: `my-chatbot/1.2 conversation-ads-client/0.1.0 Node.js/24`. Undefined in
 * browsers, where the user agent is the browser's, and where a header of its own could require a preflight request.
 */
export function getUserAgent(ownProducts?: string): string | undefined {
  const name = runtime.navigator?.userAgent;
  // Every browser calls itself Mozilla; Node, Deno, Bun, and Workers use their own names.
  if (name?.startsWith('Mozilla/')) return undefined;
  return [ownProducts, `conversation-ads-client/${VERSION}`, name].filter(Boolean).join(' ');
}
