import { USUAL } from '../rows.ts';

/** What every management operation has in common (api 1.3 and 1.4). */
export const MANAGEMENT = {
  ...USUAL,
  area: 'management',
  credential: 'owner',
  limit: { most: 100, group: 'management' },
  deadlineMs: 10_000,
} as const;

/** What the context of an ad is read from: the settings of the key, and the conversation. */
export const CONTEXT_READS = { 'key-settings': ['get'], conversations: ['get', 'put'] } as const;

/** What came of the day before, and why requests had no bid, are written to the key's days. */
export const COUNTED_REQUEST = { 'key-days': ['update'] } as const;
