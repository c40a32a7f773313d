import type { Micros } from '../platform/values/money.ts';
import type { Credential, Mode } from './credential.ts';
import type { ExchangeSecond, Windows } from './sliding-window.ts';

/** A stored key. Only fingerprints of its secrets are stored. */
export interface ApiKey {
  id: string;
  owner: string;
  /** Empty if the name is too long: every request writes this item, so long names are stored in the settings item. */
  name: string;
  masked: string;
  mode: Mode;
  /** Minimum CPM in micro-dollars; lower bids are excluded. */
  bidFloor: Micros;
  /** Whether the judge may read its conversations. If absent (keys of the previous version), true. */
  judge?: boolean;
  isActive: boolean;
  createdAt: string;
  /** Time of the last change by its owner, epoch milliseconds. Absent before the first change by this version. */
  changedAt?: number;
  lastUsedAt: string | null;
  requestCount: number;
  /** The last UTC day with requests, and the number of ads requested on it. Absent in keys of the previous version. */
  day?: string;
  dayRequests?: number;
  /** The fingerprint of the current secret. Absent before the first rotation: the id is the fingerprint of the first secret. */
  secret?: string;
  /** The fingerprint of the last replaced secret, and the time until which it is accepted (epoch milliseconds). */
  oldSecret?: string;
  oldUntil?: number;
  /** Fingerprints of the secrets replaced before `oldSecret`, and the time until which each is accepted. */
  older?: Readonly<Record<string, number>>;
  /**
   * The value of `secret` when `older` was written; `older` is valid only while the two are equal. During a rollout, the previous version
   * rotates without clearing `older`. Its new `secret` then invalidates `older`, so a revoked secret is not accepted.
   */
  olderFor?: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'api-keys': ApiKey & Windows & ExchangeSecond;
  }
}

/** A replaced secret, accepted until `until` (epoch milliseconds). */
export interface ReplacedSecret {
  secret: string;
  until: number;
}

/** Replaced secrets that are still accepted, most recently replaced first. */
export function listReplacedSecrets(key: ApiKey, now: number): ReplacedSecret[] {
  if (key.oldSecret === undefined || key.oldUntil === undefined) return [];
  const older = key.olderFor === key.secret ? Object.entries(key.older ?? {}) : [];
  return [
    { secret: key.oldSecret, until: key.oldUntil },
    ...older.map(([secret, until]) => ({ secret, until })).sort((a, b) => b.until - a.until),
  ].filter(({ until }) => now < until);
}

/** Part of a write's condition: the key is active, and the secret is accepted at `:now`. */
export const acceptanceCondition = ({ keyId, secret }: Credential): string =>
  `#isActive = :true AND (${secret === keyId ? 'attribute_not_exists(#secret)' : '#secret = :secret'} OR ` +
  '(#oldSecret = :secret AND #oldUntil > :now) OR (#older.#given > :now AND #olderFor = #secret))';

/** The values and names that `acceptanceCondition` uses. */
export const acceptanceValues = ({ secret }: Credential, now: number) => ({ true: true, secret, now });
export const acceptanceNames = ({ secret }: Credential) => ({ given: secret });

/** The same condition for an item in memory. */
export const isAccepted = (key: ApiKey | undefined, credential: Credential, now: number): boolean =>
  key?.isActive === true &&
  ((key.secret ?? key.id) === credential.secret ||
    listReplacedSecrets(key, now).some(({ secret }) => secret === credential.secret));
