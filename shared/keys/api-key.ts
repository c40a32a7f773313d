import type { Micros } from '../platform/values/money.ts';
import type { Credential, Mode } from './credential.ts';
import type { ExchangeSecond, Windows } from './sliding-window.ts';

/** A key as it is stored: never the key itself. */
export interface ApiKey {
  id: string;
  owner: string;
  /** Empty where it is too long for an item that every request writes: then it stands beside the settings. */
  name: string;
  masked: string;
  mode: Mode;
  /** CPM in micro-dollars below which a bid does not take part. */
  bidFloor: Micros;
  /** Whether its conversations may be shown to the judge; keys of the version before lack it and may. */
  judge?: boolean;
  isActive: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  requestCount: number;
  /** The last UTC day on which ads were asked for, and for how many; keys of the version before lack both. */
  day?: string;
  dayRequests?: number;
  /** The fingerprint of its secret since that was rotated; absent while it is the first one, whose fingerprint is the id. */
  secret?: string;
  /** The one that it replaced, which is accepted until then (epoch milliseconds). */
  oldSecret?: string;
  oldUntil?: number;
  /** Fingerprints of secrets replaced before that, and until when each is accepted. */
  older?: Readonly<Record<string, number>>;
  /**
   * The `secret` that `older` was written with; `older` counts only while they are equal. During a rollout the previous version
   * rotates and revokes without knowing `older`: the secret is another one then, and what it means to end has ended.
   */
  olderFor?: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'api-keys': ApiKey & Windows & ExchangeSecond;
  }
}

/** A secret that was replaced and is accepted until then (epoch milliseconds). */
export interface ReplacedSecret {
  secret: string;
  until: number;
}

/** Replaced secrets that are still accepted, in the order of their replacement, newest first. */
export function listReplacedSecrets(key: ApiKey, now: number): ReplacedSecret[] {
  if (key.oldSecret === undefined || key.oldUntil === undefined) return [];
  const older = key.olderFor === key.secret ? Object.entries(key.older ?? {}) : [];
  return [
    { secret: key.oldSecret, until: key.oldUntil },
    ...older.map(([secret, until]) => ({ secret, until })).sort((a, b) => b.until - a.until),
  ].filter(({ until }) => now < until);
}

/** Part of a write's condition on a key's item: the key is on, and the secret is accepted at `:now`. */
export const acceptanceCondition = ({ keyId, secret }: Credential): string =>
  `#isActive = :true AND (${secret === keyId ? 'attribute_not_exists(#secret)' : '#secret = :secret'} OR ` +
  '(#oldSecret = :secret AND #oldUntil > :now) OR (#older.#given > :now AND #olderFor = #secret))';

/** What `isAccepted` refers to. */
export const acceptanceValues = ({ secret }: Credential, now: number) => ({ true: true, secret, now });
export const acceptanceNames = ({ secret }: Credential) => ({ given: secret });

/** The same of an item that was read. */
export const isAccepted = (key: ApiKey | undefined, { secret: given }: Credential, now: number): boolean =>
  key?.isActive === true &&
  ((key.secret ?? key.id) === given || listReplacedSecrets(key, now).some(({ secret }) => secret === given));
