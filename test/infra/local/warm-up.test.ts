import { afterEach, expect, it } from 'vitest';
import { isTrialLogLine, warmUp } from '../../../infra/local/warm-up.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const keys = async () => (await service.user('warm-up')('GET', '/auth/api-keys')).body;

/** The service, with its first bid responses replaced. */
function answering(...first: Response[]) {
  const { effects, apps } = service.stack;
  const answers: number[] = [];
  const bid: (typeof apps)['ssp/bid'] = {
    async fetch(request, caller) {
      const answer = first.shift() ?? (await apps['ssp/bid'].fetch(request, caller));
      answers.push(answer.status);
      return answer;
    },
  };
  return { stack: { effects, apps: { ...apps, 'ssp/bid': bid } }, answers };
}
const notReady = (reason: string) => new Response('null', { headers: { 'x-debug-info': `{"reason":"${reason}"}` } });

// A key may make 15 bids per second; each test creates its own.
afterEach(() => service.clock.advance(1_000));

it('makes trial bids, spends nothing, and leaves no key behind', async () => {
  const campaign = await service.campaign();
  const { stack, answers } = answering();
  await warmUp(stack);
  expect(answers).toEqual([200, 200, 200]);
  const { body } = await service.user()('GET', `/campaigns/${campaign.id}`);
  expect(body).toMatchObject({ spentBudget: 0, performance: { impressions: 0 } });
  expect(await keys()).toEqual([]);
});

it.each(['late', 'catalog_stale'])('continues until no bid is %s', async (reason) => {
  const { stack, answers } = answering(notReady(reason), notReady(reason));
  await warmUp(stack);
  expect(answers).toHaveLength(2 + 3);
});

it('gives up if every bid times out, and leaves no key behind', async () => {
  const { stack, answers } = answering(...Array.from({ length: 100 }, () => notReady('late')));
  await warmUp(stack);
  expect(answers).toHaveLength(12);
  expect(await keys()).toEqual([]);
});

it('logs errors of trial bids, but not the bids', () => {
  const line = (level: string, requestId: string) => JSON.stringify({ level, message: 'request', requestId });
  expect(isTrialLogLine(line('info', 'warm-up'))).toBe(true);
  expect(isTrialLogLine(line('warn', 'warm-up'))).toBe(true);
  expect(isTrialLogLine(line('error', 'warm-up'))).toBe(false);
  expect(isTrialLogLine(line('info', '5293ab11-0ec3-4fe7-afd6-52fe50d6866e'))).toBe(false);
});
