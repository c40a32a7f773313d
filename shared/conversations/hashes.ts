import { createHmac } from 'node:crypto';
import type { Effects } from '../platform/effects.ts';

const HASH_DIGITS = 22;

/** Whose a conversation is. */
export interface ConversationOwner {
  owner: string;
  mode: 'live' | 'test';
}

/** Ids of conversations are kept as a hash alone: keyed, and bound to the owner of the API key. */
export function createConversationHashes({ db, ids }: Pick<Effects, 'db' | 'ids'>) {
  /** The text, never its promise: no request waits for what another has begun to read, which may have been given up. */
  let secret: string | undefined;

  async function secretKey(): Promise<string> {
    secret ??= await findSecret();
    return secret;
  }

  async function findSecret(): Promise<string> {
    const key = { conversation: '#secret' };
    const made = { conversation: '#secret' as const, secret: Buffer.from(ids.bytes(32)).toString('base64url') };
    const found = await db.get('conversations', key);
    if (found && 'secret' in found) return found.secret;
    // Settles the race of instances that make the first one.
    const { ok, ...written } = await db.write({
      table: 'conversations',
      put: made,
      when: 'attribute_not_exists(#conversation)',
    });
    const old = 'old' in written ? written.old : undefined;
    return ok || !old || !('secret' in old) ? made.secret : old.secret;
  }

  /** Of test bids another than of live ones, which they do not count against. */
  return async function hashesOf({ owner, mode }: ConversationOwner, conversationIds: string[]): Promise<string[]> {
    const secret = await secretKey();
    return conversationIds.map((id) =>
      createHmac('sha256', secret)
        .update(`${mode === 'test' ? '\0' : ''}${owner}\n${id}`)
        .digest('base64url')
        .slice(0, HASH_DIGITS),
    );
  };
}
