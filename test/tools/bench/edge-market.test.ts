import { expect, it } from 'vitest';
import { startEmptyOrigin, untilBid } from '../../../tools/bench/edge-market.ts';

it('A measurement of a Worker that leaves all bids to its origin ends with what is wrong', async () => {
  const ends: (() => unknown)[] = [];
  const url = await startEmptyOrigin(ends);
  await expect(untilBid(url, 'key', 0)).rejects.toThrow('has left all bids to its origin');
  for (const end of ends) end();
});
