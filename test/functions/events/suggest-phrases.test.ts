import { beforeEach, describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { MAX_CAMPAIGN_BYTES } from '../../../shared/campaigns/weight.ts';
import type { CampaignText, Judge, NoAnswer, Phrase, Suggestion } from '../../../shared/platform/judge.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { streamRecord } from '../../stream-record.ts';

const PHRASES: Phrase[] = [
  { text: 'my knees hurt after long runs', weight: 0.9 },
  { text: 'what do I need for a marathon', weight: 0.7 },
];
const judgedTexts: CampaignText[] = [];
let answer: () => Suggestion | Promise<Suggestion>;
const judge: Judge = {
  opine: async () => ({ result: 'failed' }),
  async suggest(campaign) {
    judgedTexts.push(campaign);
    return answer();
  },
};
// @module-tag whole
const service = useServiceInMemory({}, { judge });
const good = (): Suggestion => ({ result: 'answered', phrases: PHRASES });

const alice = () => service.user();
const read = async ({ id }: { id: string }) => (await alice()('GET', `/campaigns/${id}`)).body;
const change = ({ id }: { id: string }, body: object) => alice()('PATCH', `/campaigns/${id}`, body);
/** A campaign with suggested phrases. */
async function suggested(overrides: object = {}) {
  const campaign = await service.campaign(overrides);
  await service.stack.drain();
  judgedTexts.length = 0;
  return campaign;
}
const getItem = (kind: 'campaign' | 'phrases', { id }: { id: string }) =>
  untyped(service.stack.effects.db).get('campaigns', { owner: 'alice', item: `${kind}#${id}` });

/** Sends the worker the stream record of a stored campaign. */
async function feed(campaign: { id: string }, times = 1, more: object = {}) {
  const record = streamRecord(undefined, await getItem('campaign', campaign), 'campaigns');
  const worker = await loadWorker('events/suggest-phrases', { ...service.stack.effects, ...more });
  return worker({ Records: Array(times).fill(record) });
}

beforeEach(async () => {
  answer = good;
  await service.stack.drain();
  judgedTexts.length = 0;
});

describe('Suggested phrases', () => {
  it('are requested after a campaign is saved, from its texts, and are part of its responses from then on', async () => {
    const campaign = await service.campaign({
      name: 'Shoes for marathons',
      targetAudience: { keywords: ['running shoes'], demographics: { interests: ['sport'] }, categories: ['Sports'] },
    });
    expect([judgedTexts, campaign.suggestedPhrases]).toEqual([[], undefined]);
    await service.stack.drain();
    expect(judgedTexts).toEqual([
      {
        name: 'Shoes for marathons',
        headline: 'Run further',
        description: 'Shoes that last.',
        keywords: ['running shoes'],
        interests: ['sport'],
        categories: ['Sports'],
      },
    ]);
    expect(service.lines.join()).not.toMatch(/knees|Shoes that last/);
    const after = await read(campaign);
    expect(after).toEqual({ ...campaign, suggestedPhrases: PHRASES });
  });

  it('are not requested again while the texts are unchanged, however often the campaign changes or its record arrives', async () => {
    const campaign = await suggested();
    await change(campaign, { status: 'paused' });
    await change(campaign, { budget: 20, suggestedPhrases: PHRASES });
    await service.stack.drain();
    await feed(campaign, 3);
    expect(judgedTexts).toEqual([]);
    expect((await read(campaign)).suggestedPhrases).toEqual(PHRASES);
  });

  it('are requested again when the texts change', async () => {
    const campaign = await suggested();
    answer = () => ({ result: 'answered', phrases: [{ text: 'which tent keeps dry', weight: 1 }] });
    await change(campaign, { creative: { headline: 'Tents' } });
    await service.stack.drain();
    expect(judgedTexts.map(({ headline }) => headline)).toEqual(['Tents']);
    expect((await read(campaign)).suggestedPhrases).toEqual([{ text: 'which tent keeps dry', weight: 1 }]);
  });

  it.each([
    ['has no texts', { targetAudience: {}, creative: {}, status: 'draft' }],
    ['is cancelled', { status: 'cancelled' }],
  ])('are not requested for a campaign that %s', async (_, overrides) => {
    await service.campaign(overrides);
    await service.stack.drain();
    expect(judgedTexts).toEqual([]);
  });

  it('are requested for a campaign that an earlier version stored without every field', async () => {
    const campaign = await service.campaign();
    const { item, owner } = (await getItem('campaign', campaign))!;
    const update = 'SET #targetAudience = :none';
    await untyped(service.stack.effects.db).write({
      table: 'campaigns',
      key: { owner, item },
      update,
      values: { none: {} },
    });
    expect(await feed(campaign)).toEqual({ batchItemFailures: [] });
    expect(judgedTexts).toEqual([expect.objectContaining({ keywords: [], interests: [], categories: [] })]);
  });

  it('are absent without a judge', async () => {
    const campaign = await service.campaign();
    expect(await feed(campaign, 1, { judge: undefined })).toEqual({ batchItemFailures: [] });
    expect(await getItem('phrases', campaign)).toBeUndefined();
  });

  it("do not enlarge what bidding reads: the campaign's own item is unchanged", async () => {
    const campaign = await service.campaign();
    const before = await getItem('campaign', campaign);
    await service.stack.drain();
    expect(await getItem('phrases', campaign)).toMatchObject({ phrases: PHRASES });
    expect(await getItem('campaign', campaign)).toEqual(before);
  });

  it("stay within the campaign's 16 KiB, those with the most weight first", async () => {
    const keywords = Array.from({ length: 40 }, (_, i) => `shoe ${i} ${'x'.repeat(80)}`);
    const many = Array.from({ length: 150 }, (_, i) => ({ text: `${i} ${'y'.repeat(70)}`, weight: 1 - i / 150 }));
    answer = () => ({ result: 'answered', phrases: many });
    const campaign = await suggested({ targetAudience: { keywords } });
    const phrases = (await read(campaign)).suggestedPhrases;
    expect(phrases).toEqual(many.slice(0, phrases.length));
    expect(phrases.length).toBeLessThan(150);
    const bytes = JSON.stringify([await getItem('campaign', campaign), phrases]).length;
    expect(bytes).toBeLessThanOrEqual(MAX_CAMPAIGN_BYTES + 200);
    expect(bytes).toBeGreaterThan(MAX_CAMPAIGN_BYTES - 300);
  });
});

describe('Suggested phrases after a failure of the judge', () => {
  const failing = (result: NoAnswer) => () => ({ result });

  it.each(['late', 'failed', 'circuit_open', 'no_time'] as const)(
    'are requested again when it is %s',
    async (result) => {
      const campaign = await service.campaign();
      answer = failing(result);
      const before = service.clock.now();
      expect(await feed(campaign)).toEqual({ batchItemFailures: [expect.anything()] });
      expect(service.clock.now() - before).toBe(5_000);
      answer = good;
      await feed(campaign);
      expect((await read(campaign)).suggestedPhrases).toEqual(PHRASES);
    },
  );

  it.each([
    ['late', 15 * 60_000],
    ['failed', 15 * 60_000],
    ['unreadable', 0],
  ] as const)('are given up when it is %s after %i ms, until the texts change', async (result, ms) => {
    const campaign = await service.campaign();
    answer = failing(result);
    service.clock.advance(ms);
    service.lines.length = 0;
    expect(await feed(campaign)).toEqual({ batchItemFailures: [] });
    const log = service.lines.join();
    expect(log).toContain(campaign.id);
    expect(log).not.toMatch(/Run further|Shoes that last/);
    answer = good;
    judgedTexts.length = 0;
    await feed(campaign);
    expect([judgedTexts, (await read(campaign)).suggestedPhrases]).toEqual([[], undefined]);
    await change(campaign, { creative: { headline: 'Run faster' } });
    await service.stack.drain();
    expect((await read(campaign)).suggestedPhrases).toEqual(PHRASES);
  });

  it('are requested again even after an hour if the reason was too little time', async () => {
    const campaign = await service.campaign();
    answer = failing('no_time');
    service.clock.advance(60 * 60_000);
    expect(await feed(campaign)).toEqual({ batchItemFailures: [expect.anything()] });
  });
});

describe('While phrases are being suggested', () => {
  /** Runs once during the request for phrases. */
  const duringRequest = (act: () => Promise<unknown>) => {
    answer = async () => {
      answer = good;
      await act();
      return { result: 'answered', phrases: [{ text: 'for what it said before', weight: 1 }] };
    };
  };

  it('a change of the texts makes the worker request phrases for the new texts', async () => {
    const campaign = await service.campaign();
    duringRequest(() => change(campaign, { creative: { headline: 'Tents' } }));
    await service.stack.drain();
    expect(judgedTexts.map(({ headline }) => headline)).toEqual(['Run further', 'Tents']);
    expect((await read(campaign)).suggestedPhrases).toEqual(PHRASES);
  });

  it('a change of other fields keeps the phrases, requested once', async () => {
    const campaign = await service.campaign();
    duringRequest(() => change(campaign, { status: 'paused' }));
    await service.stack.drain();
    expect(judgedTexts).toHaveLength(1);
    expect((await read(campaign)).suggestedPhrases).toEqual([{ text: 'for what it said before', weight: 1 }]);
  });

  it('a deletion of the campaign discards them', async () => {
    const campaign = await service.campaign();
    duringRequest(() => alice()('DELETE', `/campaigns/${campaign.id}`));
    await service.stack.drain();
    expect(await getItem('phrases', campaign)).toBeUndefined();
  });

  it('phrases that the advertiser sets are kept', async () => {
    const own = [{ text: 'mine', weight: 0.5 }];
    const campaign = await service.campaign();
    duringRequest(() => change(campaign, { suggestedPhrases: own }));
    await service.stack.drain();
    expect((await read(campaign)).suggestedPhrases).toEqual(own);
  });

  it('the phrases of a faster concurrent run are kept', async () => {
    const campaign = await service.campaign();
    duringRequest(() => feed(campaign));
    await feed(campaign);
    expect((await read(campaign)).suggestedPhrases).toEqual(PHRASES);
  });
});

describe('An advertiser', () => {
  const own = [{ text: 'my own words', weight: 0.4 }];

  it('edits the suggestions, and edits are not replaced', async () => {
    const campaign = await suggested();
    expect((await change(campaign, { suggestedPhrases: own })).body.suggestedPhrases).toEqual(own);
    await change(campaign, { creative: { headline: 'Tents' } });
    await service.stack.drain();
    expect([judgedTexts, (await read(campaign)).suggestedPhrases]).toEqual([[], own]);
  });

  it('gets new suggestions for null, and none for an empty list', async () => {
    const campaign = await suggested();
    expect((await change(campaign, { suggestedPhrases: [] })).body.suggestedPhrases).toBeUndefined();
    await service.stack.drain();
    expect([judgedTexts, (await read(campaign)).suggestedPhrases]).toEqual([[], undefined]);
    await change(campaign, { suggestedPhrases: null });
    await service.stack.drain();
    expect((await read(campaign)).suggestedPhrases).toEqual(PHRASES);
  });

  it('can send the whole object back without editing anything', async () => {
    const campaign = await suggested();
    await change(campaign, { ...(await read(campaign)), creative: { headline: 'Tents' } });
    await service.stack.drain();
    expect(judgedTexts).toHaveLength(1);
    const copy = { ...(await read(campaign)), name: `Copy of ${campaign.name}` };
    const { status, headers } = await alice()('POST', '/campaigns', copy);
    expect([status, headers['x-ignored-fields']]).toEqual([201, 'suggestedPhrases']);
  });

  it.each([
    ['no list', 'x'],
    ['only a text', ['x']],
    ['an empty text', [{ text: ' ', weight: 1 }]],
    ['a long text', [{ text: 'x'.repeat(101), weight: 1 }]],
    ['no weight', [{ text: 'x' }]],
    ['a weight over 1', [{ text: 'x', weight: 1.1 }]],
    ['a weight below 0', [{ text: 'x', weight: -0.1 }]],
    ['more than 150', Array(151).fill({ text: 'x', weight: 1 })],
    [
      'more than fit into the item',
      Array.from({ length: 150 }, (_, i) => ({ text: `${i}${'語'.repeat(90)}`, weight: 1 })),
    ],
  ])('gets an error that explains what is wrong with %s', async (_, suggestedPhrases) => {
    const campaign = await service.campaign();
    const { status, body } = await change(campaign, { suggestedPhrases });
    expect(status).toBe(400);
    expect(body.details[0].path).toMatch(/^suggestedPhrases/);
    expect(body.details[0].message).toMatch(/^suggestedPhrases must be/);
  });

  it('leaves no phrases behind when the campaign is deleted', async () => {
    const campaign = await suggested();
    await alice()('DELETE', `/campaigns/${campaign.id}`);
    expect(await getItem('phrases', campaign)).toBeUndefined();
  });
});
