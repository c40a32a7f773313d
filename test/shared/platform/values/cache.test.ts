import { expect, it } from 'vitest';
import { createKept } from '../../../../shared/platform/values/cache.ts';

it('createKept evicts the oldest values above its total weight', () => {
  const kept = createKept<string, string>(10);
  const known = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => kept.get(key));
  for (const key of ['a', 'b', 'c']) kept.keep(key, key.toUpperCase(), 3);
  expect(known()).toEqual(['a', 'b', 'c']);
  kept.keep('d', 'D', 5);
  expect(known()).toEqual(['c', 'd']);
  kept.keep('c', 'C', 1);
  kept.keep('e', 'E', 4);
  expect(known()).toEqual(['c', 'd', 'e']);
  kept.keep('a', 'A', 11);
  expect(known()).toEqual([]);
});
