import type * as z from 'zod';
import { isoTime } from '../platform/clock.ts';
import { toUsd } from '../platform/values/money.ts';
import { replacedSecrets } from './accepted.ts';
import type { WholeKey } from './find.ts';
import type { apiKeyResponse } from './key-response.ts';

/** An API key as clients see it (api 2): masked, or with the secret where that was just given. */
export const presentApiKey = (key: WholeKey, now: number, secret?: string): z.output<typeof apiKeyResponse> => ({
  id: key.id,
  name: key.name,
  key: secret ?? key.masked,
  mode: key.mode,
  bidFloor: toUsd(key.bidFloor),
  judge: key.judge ?? true,
  ...key.settings,
  isActive: key.isActive,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  requestCount: key.requestCount,
  oldKeyUntil: key.oldUntil === undefined ? null : isoTime(key.oldUntil),
  oldKeysUntil: replacedSecrets(key, now).map(({ until }) => isoTime(until)),
});
