import type { ApiKey } from './api-key.ts';
import type { Credential } from './key.ts';

/** A secret that was replaced and is accepted until then (epoch milliseconds). */
export interface ReplacedSecret {
  secret: string;
  until: number;
}

/** Replaced secrets that are still accepted, in the order of their replacement, newest first. */
export function replacedSecrets(key: ApiKey, now: number): ReplacedSecret[] {
  if (key.oldSecret === undefined || key.oldUntil === undefined) return [];
  const older = key.olderFor === key.secret ? Object.entries(key.older ?? {}) : [];
  return [
    { secret: key.oldSecret, until: key.oldUntil },
    ...older.map(([secret, until]) => ({ secret, until })).sort((a, b) => b.until - a.until),
  ].filter(({ until }) => now < until);
}

/** Part of a write's condition on a key's item: the key is on, and the secret is accepted at `:now`. */
export const isAccepted = ({ keyId, secret }: Credential): string =>
  `#isActive = :true AND (${secret === keyId ? 'attribute_not_exists(#secret)' : '#secret = :secret'} OR ` +
  '(#oldSecret = :secret AND #oldUntil > :now) OR (#older.#given > :now AND #olderFor = #secret))';

/** What `isAccepted` refers to. */
export const acceptedValues = ({ secret }: Credential, now: number) => ({ true: true, secret, now });
export const acceptedNames = ({ secret }: Credential) => ({ given: secret });

/** The same of an item that was read. */
export const accepts = (key: ApiKey | undefined, { secret: given }: Credential, now: number): boolean =>
  key?.isActive === true &&
  ((key.secret ?? key.id) === given || replacedSecrets(key, now).some(({ secret }) => secret === given));
