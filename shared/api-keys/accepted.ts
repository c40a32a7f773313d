import type { ApiKey } from './api-key.ts';
import type { Credential } from './key.ts';

/** Part of a write's condition on a key's item: that the key is on and the secret one of its own, at `:now`. */
export const isAccepted = ({ keyId, secret }: Credential): string =>
  `#isActive = :true AND (${secret === keyId ? 'attribute_not_exists(#secret)' : '#secret = :secret'} OR ` +
  '(#oldSecret = :secret AND #oldUntil > :now))';

/** What `isAccepted` speaks of. */
export const acceptedValues = ({ secret }: Credential, now: number) => ({ true: true, secret, now });

/** The same of an item that was read. */
export const accepts = (key: ApiKey | undefined, { secret }: Credential, now: number): boolean =>
  key?.isActive === true &&
  ((key.secret ?? key.id) === secret || (key.oldSecret === secret && now < (key.oldUntil ?? 0)));
