/**
 * UTF-8 bytes of a name that the key's own item has room for: every request writes that item, and a write is one unit up to 1 KB. A
 * longer name (200 characters can be 600 bytes) stands beside the settings.
 */
const MOST_BYTES = 120;

/** Where a name stands: in the key's own item, or beside its settings. */
export const splitName = (name: string): { inKey: string; inSettings?: string } =>
  new TextEncoder().encode(name).length <= MOST_BYTES ? { inKey: name } : { inKey: '', inSettings: name };
