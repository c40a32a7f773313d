import { expect, it } from 'vitest';
import { withinAnswer } from '../../../shared/http/response.ts';

/** Ten bytes of JSON each. */
const items = ['12345678', '12五六', 'abcdefgh'];

it.each([
  [30, 3],
  [29, 2],
  [20, 2],
  [19, 1],
  [1, 1],
])('fits into %d bytes this many items of ten bytes: %d', (bytes, count) => {
  expect(withinAnswer(items, bytes)).toEqual(items.slice(0, count));
});
