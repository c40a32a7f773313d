import { createHash } from 'node:crypto';
import type { Opinion } from '../../platform/judge.ts';
import type { Prompt } from '../../platform/language-model.ts';
import { remember } from '../../platform/values/cache.ts';

/** LRU cache of opinions. Keys are hashes of the prompt, so that no conversation text stays in memory. */
export function createOpinionCache(maxEntries = 2_000) {
  const opinions = new Map<string, Opinion>(); // least recently used first
  return {
    toKey: ({ user }: Prompt): string => createHash('sha256').update(user).digest('base64'),

    get(key: string): Opinion | undefined {
      const opinion = opinions.get(key);
      if (opinion && opinions.delete(key)) opinions.set(key, opinion);
      return opinion;
    },

    set: (key: string, opinion: Opinion): void => remember(opinions, key, opinion, maxEntries),
  };
}
