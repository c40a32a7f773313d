import type { Effects } from './effects.ts';

/**
 * The secret key of the service. It keys the hashes of conversations and of the publishers that an advertiser sees, and signs the URLs to which readers report.
 * The service creates it on first use; losing it would change every hash and void these URLs.
 */
export interface SecretItem {
  conversation: '#secret';
  secret: string;
}

/** Reads the secret once per instance. */
export function createSecretReader({ db, ids }: Pick<Effects, 'db' | 'ids'>): () => Promise<string> {
  /** Caches the text, not its promise: the request that started the read may have been aborted, and others must not wait for it. */
  let secret: string | undefined;

  async function findSecret(): Promise<string> {
    const created: SecretItem = {
      conversation: '#secret',
      secret: Buffer.from(ids.bytes(32)).toString('base64url'),
    };
    const stored = await db.get('conversations', { conversation: '#secret' });
    if (stored && 'secret' in stored) return stored.secret;
    // Several instances may create the first secret at once: the first write wins, and the others use its secret.
    const { ok, ...written } = await db.write({
      table: 'conversations',
      put: created,
      when: 'attribute_not_exists(#conversation)',
    });
    const old = 'old' in written ? written.old : undefined;
    return ok || !old || !('secret' in old) ? created.secret : old.secret;
  }

  return async () => {
    secret ??= await findSecret();
    return secret;
  };
}
