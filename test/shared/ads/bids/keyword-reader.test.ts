import { expect, it } from 'vitest';
import type { Auction } from '../../../../shared/ads/auction/auction.ts';
import { createKeywordReader } from '../../../../shared/ads/bids/keyword-reader.ts';
import { createBudgetService } from '../../../memory/service.ts';

it.each([
  ['150 ms', 10_000, 1_150],
  ['the time left of the operation', 1_050, 1_050],
])('waits for the keywords of an explanation for at most %s', async (_, deadline, expected) => {
  const { effects, campaign } = createBudgetService(`keyword reader ${deadline}`);
  const made = await campaign();
  const waitedUntil: number[] = [];
  const clock = {
    ...effects.clock,
    now: () => 1_000,
    deadline: () => deadline,
    within<T>(until: number, work: () => T) {
      waitedUntil.push(until);
      return work();
    },
  };
  const candidates = [{ campaign: made, matched: [{ kind: 'keyword', keyword: 0 }] }];
  const keywordsOf = await createKeywordReader({ db: effects.db, clock })([{ candidates } as unknown as Auction]);
  expect(waitedUntil).toEqual([expected]);
  expect(keywordsOf(made as never)).toEqual(made.targetAudience.keywords);
});
