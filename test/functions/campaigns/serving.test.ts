import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { runningShoes } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const alice = (...request: [string, string, unknown?]) => service.user('alice')(...request);

interface Reason {
  code: string;
  field?: string;
  message: string;
  blocking: boolean;
}

const create = async (overrides: object) => {
  const { body } = await alice('POST', '/campaigns', { ...runningShoes(), ...overrides });
  return body;
};
const summarize = ({ serving }: { serving: { eligible: boolean; reasons: Reason[] } }) => [
  serving.eligible,
  serving.reasons.map(({ code, field }) => `${code} ${field}`),
];

describe('The serving status of a campaign', () => {
  it.each<[object, boolean, string[]]>([
    [{}, true, []],
    [{ status: 'draft' }, false, ['draft status']],
    [{ status: 'paused' }, false, ['paused status']],
    [{ status: 'cancelled' }, false, ['cancelled status']],
    [{ status: 'completed' }, false, ['completed status']],
    [{ endDate: '2026-11-19' }, false, ['ended endDate']],
    [{ startDate: '2026-11-21' }, false, ['not_started startDate']],
    [{ creative: { headline: 'x' } }, false, ['incomplete creative.landingUrl']],
    [{ creative: { landingUrl: 'https://a.example' } }, false, ['incomplete creative.headline']],
    [{ creative: { headline: ' \n', landingUrl: 'https://a.example' } }, false, ['incomplete creative.headline']],
    [{ targetAudience: {} }, false, ['incomplete targetAudience.keywords']],
    [{ targetAudience: { demographics: { interests: ['Running'] } } }, true, []],
    [
      { targetAudience: { keywords: ['the'] }, creative: { headline: 'the', landingUrl: 'https://a.example' } },
      true,
      ['incomplete targetAudience.keywords'],
    ],
    [{ maxCpb: 0 }, false, ['incomplete maxCpb']],
    [{ budget: 0 }, false, ['budget budget']],
    [{ dailyBudget: 0 }, false, ['daily_budget dailyBudget']],
    [{ dailyBudget: 11 }, true, ['daily_budget dailyBudget']],
    [{ budget: 3.9 }, true, ['budget budget']],
    [{ bidStrategy: 'target_cpa' }, true, ['incomplete targetCpa']],
    [{ bidStrategy: 'target_cpa', targetCpa: 0 }, false, ['incomplete targetCpa']],
    [{ status: 'draft', budget: 0, maxCpb: 0 }, false, ['draft status', 'incomplete maxCpb', 'budget budget']],
  ])('%j', async (overrides, eligible, reasons) => {
    const campaign = await create(overrides);
    expect(summarize(campaign)).toEqual([eligible, reasons]);
    for (const { message, blocking } of campaign.serving.reasons) {
      expect(message).toMatch(/^\w.+\.$/);
      // The desk shows the reason as it is, except that it replaces field names by their labels.
      expect(message).not.toMatch(/[a-z][A-Z]/);
      expect(blocking).toBe(!eligible);
    }
    const { body } = await alice('GET', `/campaigns/${campaign.id}`);
    expect(body.serving).toEqual(campaign.serving);
  });

  it('uses the same reason as X-Debug', async () => {
    const key = await service.key();
    const campaign = await create({ targetAudience: { keywords: ['gamelanzoom'] }, dailyBudget: 0 });
    const { headers } = await service.call('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key, 'x-debug': 'true' },
      body: { countryCode: 'US', messages: [{ role: 'user', content: 'gamelanzoom' }] },
    });
    expect(JSON.parse(headers['x-debug-info']!).candidates).toMatchObject([
      { campaignId: campaign.id, outcome: campaign.serving.reasons[0].code },
    ]);
  });

  it('follows spend, the day, and a corrective update, through the ledger', async () => {
    const key = await service.key();
    const { id } = await create({ targetAudience: { keywords: ['bouzoukizoom'] }, budget: 0.012, dailyBudget: 0.004 });
    const look = async () => summarize((await alice('GET', `/campaigns/${id}`)).body);
    expect(await look()).toEqual([true, ['budget budget']]);
    const show = async () => service.ad(key, (await service.bid(key, 'bouzoukizoom')).body.bidId);
    await show();
    expect(await look()).toEqual([false, ['daily_budget dailyBudget', 'budget budget']]);
    service.clock.advance(24 * 60 * 60 * 1000);
    expect((await look())[0]).toBe(true);
    const { body } = await alice('PATCH', `/campaigns/${id}`, { dailyBudget: null });
    expect(body.serving.eligible).toBe(true);
    await show();
    await show();
    expect(await look()).toEqual([false, ['budget budget']]);
    const raised = await alice('PATCH', `/campaigns/${id}`, { budget: 10 });
    expect(summarize(raised.body)).toEqual([true, []]);
  });

  it('is read-only and ignored in bodies', async () => {
    const campaign = await create({});
    const { status, body } = await alice('PATCH', `/campaigns/${campaign.id}`, {
      ...campaign,
      serving: { eligible: false, reasons: 'none' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...campaign, updatedAt: body.updatedAt });
  });

  it('is not part of lists, whose fields the contract fixes', async () => {
    const { body } = await alice('GET', '/campaigns');
    expect(body[0]).not.toHaveProperty('serving');
  });
});
