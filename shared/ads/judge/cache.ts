import { createHash } from 'node:crypto';
import type { Opinion } from '../../platform/judge.ts';
import type { Prompt } from '../../platform/language-model.ts';
import { remember } from '../../platform/values/cache.ts';

/** Opinions of the same turn and candidates, the ones used last, under a hash: nothing of what was said is kept. */
export function createOpinionCache(most = 2_000) {
  const known = new Map<string, Opinion>(); // in the order of use, the oldest first
  return {
    toKey: ({ user }: Prompt): string => createHash('sha256').update(user).digest('base64'),

    get(key: string): Opinion | undefined {
      const found = known.get(key);
      if (found && known.delete(key)) known.set(key, found);
      return found;
    },

    set: (key: string, opinion: Opinion): void => remember(known, key, opinion, most),
  };
}
