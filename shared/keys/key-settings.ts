import type { Effects } from '../platform/effects.ts';
import { remember } from '../platform/values/cache.ts';
import type { KeySettings } from './setting-fields.ts';

/** What is kept of a key beside the item that its requests write; a setting that was never set, or set back, is not there. */
type SettingsItem = Partial<KeySettings> & {
  id: string;
  /** The name where it is too long for the key's own item. */
  name?: string;
};

/** What is asked of settings: null sets one back, what is undefined stays. */
export type SettingChanges = { [F in keyof KeySettings]?: KeySettings[F] | null };

declare module '../platform/items.ts' {
  interface Items {
    'key-settings': SettingsItem;
  }
}

/** What holds of a key until it is set. Beside the table of settings, because those who only read keys have no use for its schemas. */
export const defaultSettings: KeySettings = {
  blockedDomains: [],
  blockedCategories: [],
  billing: 'burl',
  turnSpacing: 0,
  adsPerConversation: null,
  auction: 'first',
  sellerAgentUrl: null,
};

/** How old an instance's knowledge of settings may be (api 2). */
const SETTINGS_AGE_MS = 10_000;
/** Keys whose settings an instance remembers. */
const MAX_ENTRIES = 1_000;

export const withDefaults = ({ id: _, name: __, ...set }: SettingsItem): KeySettings => ({
  ...defaultSettings,
  ...set,
});

/**
 * The settings of keys as bidding reads them: beside the key's own write, so that nobody waits for them, and about once in ten
 * seconds. What is remembered are settings, not reads: no request waits for another's, which ends with that one's deadline. A
 * read that fails leaves nothing: without a publisher's blocks there is no bid.
 */
export function createSettingsReader({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const known = new Map<string, { until: number; settings: KeySettings }>();

  return async (keyId: string): Promise<KeySettings> => {
    const now = clock.now();
    const found = known.get(keyId);
    if (found && now < found.until) return found.settings;
    const settings = withDefaults((await db.get('key-settings', { id: keyId })) ?? { id: keyId });
    remember(known, keyId, { until: now + SETTINGS_AGE_MS, settings }, MAX_ENTRIES);
    return settings;
  };
}
