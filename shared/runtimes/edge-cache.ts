import { MAX_SNAPSHOT_AGE_MS } from '../catalog/snapshot-store.ts';
import type { Database } from '../platform/database.ts';
import { itemOf } from '../platform/items.ts';

/** The part that is used of the runtime's cache, which the Workers of one data centre share. */
declare const caches: {
  open(
    name: string,
  ): Promise<{ match(url: string): Promise<Response | undefined>; put(url: string, answer: Response): Promise<void> }>;
};

const NAME = 'snapshots';
/** After so long nobody asks for a slice any more. */
const KEEP = `max-age=${MAX_SNAPSHOT_AGE_MS / 1000}`;

/**
 * The store, with the slices of snapshots from the data centre's cache where they are there. A slice is never changed once it is
 * written, and its key names its snapshot: whatever is found is what the store has. Where there is no cache, or it fails, the store gives them.
 * @param baseUrl where the Worker answers: the cache belongs to the names that it has there
 */
export function withCachedSlices(db: Database, baseUrl: string): Database {
  const urlOf = (key: object): string => `${baseUrl}/snapshots/${encodeURIComponent(JSON.stringify(key))}`;

  async function find(url: string): Promise<Uint8Array | undefined> {
    try {
      const found = await (await caches.open(NAME)).match(url);
      return found && new Uint8Array(await found.arrayBuffer());
    } catch {
      return undefined;
    }
  }

  async function keep({ name, part, body }: { name: string; part: string; body: Uint8Array }): Promise<void> {
    try {
      const answer = new Response(new Uint8Array(body), { headers: { 'cache-control': KEEP } });
      await (await caches.open(NAME)).put(urlOf({ name, part }), answer);
    } catch {}
  }

  return {
    ...db,
    async getAll(table, keys) {
      if (table !== 'snapshots') return db.getAll(table, keys);
      const bodies = await Promise.all(keys.map((key) => find(urlOf(key))));
      const missing = keys.filter((_, i) => !bodies[i]);
      const read = missing.length > 0 ? await db.getAll(table, missing) : [];
      await Promise.all(read.map((item) => 'part' in item && 'body' in item && keep(item)));
      return keys.flatMap((key, i) => (bodies[i] ? [itemOf(table, { ...key, body: bodies[i] })] : [])).concat(read);
    },
  };
}
