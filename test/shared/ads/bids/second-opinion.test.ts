import { expect, it } from 'vitest';
import type { Demand, Opportunity } from '../../../../shared/ads/auction/auction.ts';
import { createOpinionRequest } from '../../../../shared/ads/bids/second-opinion.ts';
import type { Judge, JudgeQuestion } from '../../../../shared/platform/judge.ts';
import { createTestClock } from '../../../service.ts';

const opportunity = { messages: [], now: 0 } as unknown as Opportunity;
const fits = { id: 'a', relevance: 0.5, closeness: 0, bid: 1, matched: [], outcome: 'match' };

/** Asks the judge about a demand with one match. Returns the timeouts and the requests. */
async function consider({ noBid = null as string | null, deadline = 10_000 } = {}) {
  const waitedUntil: number[] = [];
  const asked: JudgeQuestion[] = [];
  const clock = {
    ...createTestClock(),
    now: () => 1_000,
    deadline: () => deadline,
    within<T>(until: number, work: () => T) {
      waitedUntil.push(until);
      return work();
    },
  };
  const judge: Judge = {
    async opine(question) {
      asked.push(question);
      return { result: 'answered', opinion: { safe: true, welcome: [1] } };
    },
    suggest: async () => ({ result: 'failed' }),
  };
  const demand = {
    find: (id: string) => ({ campaign: { id } }),
    match: () => ({ noBid, context: { topics: [], language: null }, candidates: [fits] }),
  } as unknown as Demand;
  const textsOf = async () => [{ name: 'a', headline: 'A', description: '' }];
  const considered = await createOpinionRequest({ clock, judge, readAdTexts: textsOf })(demand, opportunity, {
    judge: true,
  });
  return { waitedUntil, asked, judged: considered.judge, isSame: considered.demand === demand };
}

it('waits up to 100 ms for the ad texts, and never beyond the deadline of the operation', async () => {
  expect((await consider()).waitedUntil).toEqual([1_100]);
  expect((await consider({ deadline: 1_050 })).waitedUntil).toEqual([1_050]);
});

it('does not ask the judge about a conversation that is unsuitable for ads', async () => {
  expect(await consider({ noBid: 'sensitive' })).toEqual({
    waitedUntil: [],
    asked: [],
    judged: undefined,
    isSame: true,
  });
  expect((await consider()).judged).toEqual({ result: 'answered', safe: true });
});
