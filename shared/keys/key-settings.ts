import type { Effects } from '../platform/effects.ts';
import { remember } from '../platform/values/cache.ts';
import type { KeySettings } from './setting-fields.ts';

/** The item of a key's settings, which requests do not write. A setting at its default is absent. */
type SettingsItem = Partial<KeySettings> & {
  id: string;
  /** The name, if it is too long for the key's item. */
  name?: string;
};

/** Changes of settings: null restores the default, undefined changes nothing. */
export type SettingChanges = { [F in keyof KeySettings]?: KeySettings[F] | null };

declare module '../platform/items.ts' {
  interface Items {
    'key-settings': SettingsItem;
  }
}

/** Defaults of all settings. Separate from `settingFields`, so functions that only read keys do not load its schemas. */
export const defaultSettings: KeySettings = {
  blockedDomains: [],
  blockedCategories: [],
  billing: 'burl',
  turnSpacing: 0,
  adsPerConversation: null,
  adStrictness: 'balanced',
  auction: 'first',
  sellerAgentUrl: null,
  publicName: null,
};

/** How long an instance caches settings (api 2). */
const SETTINGS_AGE_MS = 10_000;
/** Maximum number of keys with cached settings. */
const MAX_ENTRIES = 1_000;

export const withDefaults = ({ id: _, name: __, ...set }: SettingsItem): KeySettings => ({
  ...defaultSettings,
  ...set,
});

/**
 * Reads settings for bidding, with a cache of ten seconds. Callers read in parallel with the key's write, which hides the latency. The cache
 * stores settings, not pending reads, because a shared read would end with the deadline of another request. If a read fails, the request
 * gets no bid: bidding without the publisher's blocks is not allowed.
 */
export function createSettingsReader({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const cache = new Map<string, { until: number; settings: KeySettings }>();

  return async (keyId: string): Promise<KeySettings> => {
    const now = clock.now();
    const cached = cache.get(keyId);
    if (cached && now < cached.until) return cached.settings;
    const settings = withDefaults((await db.get('key-settings', { id: keyId })) ?? { id: keyId });
    remember(cache, keyId, { until: now + SETTINGS_AGE_MS, settings }, MAX_ENTRIES);
    return settings;
  };
}
