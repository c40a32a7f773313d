import type { Effects } from '../platform/effects.ts';
import { createSecretReader } from '../platform/service-secret.ts';
import { toPseudonym, toPublisherId } from './publisher-id.ts';

/** A publisher as an advertiser sees it. */
interface Publisher {
  id: string;
  name: string;
}

/** Returns a function that finds the publishers of keys as an advertiser sees them. A deleted key has only its pseudonym. */
export function createPublisherReader(effects: Pick<Effects, 'db' | 'ids'>) {
  const readSecret = createSecretReader(effects);

  return async (advertiser: string, keyIds: readonly string[]): Promise<Map<string, Publisher>> => {
    const keys = keyIds.map((id) => ({ id }));
    const [secret, settings] = await Promise.all([readSecret(), effects.db.getAll('key-settings', keys)]);
    const publicNames = new Map(settings.map(({ id, publicName }) => [id, publicName]));
    return new Map(
      keyIds.map((keyId) => {
        const id = toPublisherId(secret, advertiser, keyId);
        return [keyId, { id, name: publicNames.get(keyId) ?? toPseudonym(id) }];
      }),
    );
  };
}
