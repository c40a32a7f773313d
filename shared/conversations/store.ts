import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { remember } from '../values/remember.ts';
import { type ConversationOwner, createConversationHashes } from './hashes.ts';
import type { ConversationItem } from './terms.ts';

/** Keys whose owners an instance remembers. */
const MOST_OWNERS = 10_000;

/** A conversation that a request names, and what is kept of it. */
export interface KnownConversation {
  hash: string;
  /** undefined where it had no ad that counts in the last 24 hours. */
  item: ConversationItem | undefined;
}

const conversationOf = (item: Item<'conversations'> | undefined): ConversationItem | undefined =>
  item && 'endsAt' in item ? item : undefined;

/** Conversations by their ids, which are kept as a hash alone: keyed, and bound to the owner of the API key. */
export function createConversations({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const owners = new Map<string, ConversationOwner>();
  const hashesOf = createConversationHashes({ db, ids });

  /** What is kept under some hashes, none of them twice, in one call of the store. */
  async function read(hashes: string[]): Promise<KnownConversation[]> {
    const [first, ...others] = hashes.map((conversation) => ({ conversation }));
    if (!first) return [];
    const found = await (others.length > 0
      ? db.getAll('conversations', [first, ...others])
      : db.get('conversations', first).then((item) => [item]));
    const items = new Map(found.flatMap((one) => conversationOf(one) ?? []).map((item) => [item.conversation, item]));
    return hashes.map((hash) => {
      const item = items.get(hash);
      return { hash, item: item && clock.now() < item.endsAt ? item : undefined };
    });
  }

  return {
    /** Reads a conversation beside the key's own write, where this instance knows whose the key is; undefined otherwise. */
    async readAhead(keyId: string, id: string | undefined): Promise<KnownConversation | undefined> {
      const owner = owners.get(keyId);
      if (!id || !owner) return undefined;
      const [known] = await read(await hashesOf(owner, [id]));
      return known;
    },

    /** Conversations of a key's owner, in the order of their ids; `ahead` is what `readAhead` has brought, of one of these or of another. */
    async find(
      key: ConversationOwner & { id: string },
      ids: string[],
      ahead?: KnownConversation,
    ): Promise<KnownConversation[]> {
      const { owner, mode } = key;
      remember(owners, key.id, { owner, mode }, MOST_OWNERS);
      const hashes = await hashesOf(key, ids);
      const unread = new Set(hashes.filter((hash) => hash !== ahead?.hash));
      const known = new Map((await read([...unread])).map((one) => [one.hash, one]));
      if (ahead) known.set(ahead.hash, ahead);
      return hashes.map((hash) => known.get(hash) ?? { hash, item: undefined });
    },
  };
}
