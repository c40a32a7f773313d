import type { Micros } from '../platform/values/money.ts';
import type { Mode } from './key.ts';
import type { ExchangeSecond, Windows } from './window.ts';

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
