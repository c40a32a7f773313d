import type { Effects } from '../platform/effects.ts';
import { createSecretReader } from '../platform/service-secret.ts';
import type { IdOf } from '../platform/values/ids.ts';
import { toPseudonym, toPublisherId } from './publisher-id.ts';

/** A publisher as an advertiser sees it. */
interface Publisher {
  id: IdOf<'publisher'>;
  name: string;
}

/** Enough to tell publishers with the same public name apart. */
const SHOWN_DIGITS = 4;

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

    /** Finds the publishers of keys. A deleted key has only its pseudonym. Names that several of them have end with digits of their IDs. */
    async find(advertiser: string, keyIds: readonly string[]): Promise<Map<string, Publisher>> {
      const keys = keyIds.map((id) => ({ id }));
      const [toId, settings] = await Promise.all([createToId(advertiser), effects.db.getAll('key-settings', keys)]);
      const publicNames = new Map(settings.map(({ id, publicName }) => [id, publicName]));
      const all = keyIds.map((keyId) => {
        const id = toId(keyId);
        return { keyId, id, name: publicNames.get(keyId) ?? toPseudonym(id) };
      });
      const ofName = Map.groupBy(all, ({ name }) => name);
      return new Map(
        all.map(({ keyId, id, name }) => {
          const isShared = ofName.get(name)!.length > 1;
          return [keyId, { id, name: isShared ? `${name} · ${id.slice(-SHOWN_DIGITS)}` : name }];
        }),
      );
    },
  };
}
