import { lookup } from 'node:dns/promises';

/** All addresses of a name; empty when it has none now. */
export type Resolve = (hostname: string) => Promise<string[]>;

const RESOLVE_LIMIT_MS = 2_000;

/** Asks the system for all addresses of a name; a name without an answer has none now. */
export const systemResolve: Resolve = async (hostname) => {
  const none = new Promise<[]>((resolve) => setTimeout(resolve, RESOLVE_LIMIT_MS, []).unref());
  const found = await Promise.race([lookup(hostname, { all: true }).catch(() => []), none]);
  return found.map(({ address }) => address);
};
