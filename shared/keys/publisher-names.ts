import type { Effects } from '../platform/effects.ts';
import { createSecretReader } from '../platform/service-secret.ts';
import type { IdOf } from '../platform/values/ids.ts';
import { toPseudonym, toPublisherId } from './publisher-id.ts';

/** A publisher as an advertiser sees it. */
interface Publisher {
  id: IdOf<'publisher'>;
  name: string;
}

/** Shows the publishers of keys to an advertiser. */
export function createPublisherReader(effects: Pick<Effects, 'db' | 'ids'>) {
  const readSecret = createSecretReader(effects);

  /** Returns a function that converts the ID of a key to that of its publisher. */
  async function createToId(advertiser: string): Promise<(keyId: string) => Publisher['id']> {
    const secret = await readSecret();
    return (keyId) => toPublisherId(secret, advertiser, keyId);
  }

  return {
    createToId,

    /** Finds the publishers of keys. A deleted key has only its pseudonym. */
    async find(advertiser: string, keyIds: readonly string[]): Promise<Map<string, Publisher>> {
      const keys = keyIds.map((id) => ({ id }));
      const [toId, settings] = await Promise.all([createToId(advertiser), effects.db.getAll('key-settings', keys)]);
      const publicNames = new Map(settings.map(({ id, publicName }) => [id, publicName]));
      return new Map(
        keyIds.map((keyId) => {
          const id = toId(keyId);
          return [keyId, { id, name: publicNames.get(keyId) ?? toPseudonym(id) }];
        }),
      );
    },
  };
}
