import { beforeEach, describe, expect, it } from 'vitest';
import { getLexicon } from '../../../shared/ads/catalog/lexicon.ts';
import { addCampaign } from '../../../shared/campaigns/add.ts';
import { createCampaign, updateCampaign } from '../../../shared/campaigns/campaign-schema.ts';
import { changeCampaign } from '../../../shared/campaigns/change.ts';
import { findCampaigns } from '../../../shared/campaigns/find.ts';
import { deleteCampaign } from '../../../shared/campaigns/remove.ts';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { generator } from '../../../tools/random.ts';
import { interleave } from '../../memory/gates.ts';
import { createBudgetService, OWNER } from '../../memory/service.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { selectSeeds } from '../../run-size.ts';

const MAX_CAMPAIGNS = 3;
// @module-tag whole
const service = useServiceInMemory({ MAX_CAMPAIGNS_PER_USER: String(MAX_CAMPAIGNS) });
beforeEach(() => service.clock.advance(MINUTE_MS));
const heavy = useServiceInMemory({ MAX_CAMPAIGN_MIB_PER_USER: '1' });

const TOO_MANY = { error: 'Validation failed', message: 'A user may have at most 3 campaigns', statusCode: 400 };

/** A user who creates and deletes campaigns. */
function createUser(name: string) {
  const user = service.user(name);
  const create = (campaign: string) => user('POST', '/campaigns', { name: campaign });
  return {
    create,
    statuses: async (...names: string[]) => (await Promise.all(names.map(create))).map(({ status }) => status).sort(),
    remove: async (id: string) => (await user('DELETE', `/campaigns/${id}`)).status,
    list: async () => (await user('GET', '/campaigns')).body as { id: string }[],
    forgetCount: () =>
      service.stack.effects.db.write({ table: 'campaigns', key: { owner: name, item: '#count' }, remove: true }),
  };
}

describe('The number of campaigns of a user', () => {
  it('is limited by the setting, and a deletion frees a place', async () => {
    const { create, remove } = createUser('counted');
    const { id } = (await create('one')).body;
    await create('two');
    await create('three');
    const { status, body } = await create('four');
    expect([status, body]).toEqual([400, { ...TOO_MANY, details: [{ path: '', message: TOO_MANY.message }] }]);
    expect(await remove(id)).toBe(200);
    expect([(await create('five')).status, (await create('six')).status]).toEqual([201, 400]);
  });

  it('does not exceed the limit when many are created concurrently', async () => {
    const { statuses, list } = createUser('hasty');
    const names = Array.from({ length: 12 }, (_, index) => `At once ${index}`);
    expect(await statuses(...names)).toEqual([
      ...Array(MAX_CAMPAIGNS).fill(201),
      ...Array(12 - MAX_CAMPAIGNS).fill(400),
    ]);
    expect(await list()).toHaveLength(MAX_CAMPAIGNS);
  });

  it("excludes creates with a taken name and other users' campaigns", async () => {
    const { create, statuses } = createUser('clumsy');
    await create('same');
    expect(await statuses('same', 'same', 'same', 'same')).toEqual(Array(4).fill(409));
    expect(await statuses('other', 'third')).toEqual([201, 201]);
    expect((await createUser('neighbor').create('same')).status).toBe(201);
  });

  it('includes campaigns stored before counting existed', async () => {
    const { create, remove, list, forgetCount } = createUser('stored');
    for (const name of ['one', 'DREIẞIG']) await create(name);
    await forgetCount();
    expect((await create('three')).status).toBe(201);
    expect((await create('four')).status).toBe(400);
    await forgetCount();
    expect(await remove((await list())[0]!.id)).toBe(200);
    expect([(await create('five')).status, (await create('six')).status]).toEqual([201, 400]);
  });

  it('stays exact when concurrent creates and deletes start the count', async () => {
    for (const seed of selectSeeds(100)) {
      const memory = createBudgetService(`count ${seed}`);
      const stored = [await memory.campaign(), await memory.campaign()];
      await memory.db.write({ table: 'campaigns', key: { owner: OWNER, item: '#count' }, remove: true });
      const config = { ...memory.effects.config, maxCampaignsPerOwner: MAX_CAMPAIGNS };
      const effects = memory.instance(interleave(generator(seed)), { config });
      const outcomes = await Promise.all([
        ...['a', 'b', 'c', 'd'].map((name) =>
          addCampaign(effects, getLexicon(), OWNER, createCampaign.parse({ name })),
        ),
        ...stored.map(({ id }) => deleteCampaign(effects, OWNER, id)),
      ]);
      const left = (await findCampaigns(memory.effects, OWNER)).length;
      const created = outcomes.filter((one) => typeof one === 'object' && one.outcome === 'saved').length;
      expect([left, left <= MAX_CAMPAIGNS], `seed ${seed}`).toEqual([created, true]);
      expect((await untyped(memory.db).get('campaigns', { owner: OWNER, item: '#count' }))?.count, `seed ${seed}`).toBe(
        left,
      );
    }
  });
});

describe("The total memory of a user's campaigns", () => {
  const KEYWORDS = Array.from({ length: 60 }, (_, i) => `zyxgear${i} qwlamp${i}`);
  const limited = async (seed: string) => {
    const memory = createBudgetService(seed);
    const bytesOfCount = async () =>
      (await untyped(memory.db).get('campaigns', { owner: OWNER, item: '#count' }))?.bytes;
    const sumOfCampaigns = async () =>
      (await findCampaigns(memory.effects, OWNER)).reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);
    const effectsWith = (maxCampaignBytesPerOwner: number) => ({
      ...memory.effects,
      config: { ...memory.effects.config, maxCampaignBytesPerOwner },
    });
    const create = (name: string, maxBytes: number, keywords = KEYWORDS) =>
      addCampaign(
        effectsWith(maxBytes),
        getLexicon(),
        OWNER,
        createCampaign.parse({ name, targetAudience: { keywords } }),
      );
    const change = (id: string, maxBytes: number, keywords: string[]) =>
      changeCampaign(
        effectsWith(maxBytes),
        getLexicon(),
        OWNER,
        id,
        updateCampaign.parse({ targetAudience: { keywords } }),
      );
    return { memory, create, change, bytesOfCount, sumOfCampaigns };
  };
  const getSaved = (saved: Awaited<ReturnType<typeof addCampaign>>) => {
    if (saved.outcome !== 'saved') throw new Error(saved.outcome);
    return saved.campaign;
  };

  it('limits creates and updates, and is freed by shorter keywords and deletions', async () => {
    const { memory, create, change, bytesOfCount, sumOfCampaigns } = await limited('memory');
    const first = getSaved(await create('first', 1e9));
    const each = first.memoryBytes!;
    const maxBytes = 2 * each + 200;
    expect((await create('second', maxBytes)).outcome).toBe('saved');
    expect(await create('third', maxBytes)).toEqual({ outcome: 'too_heavy', maxBytes });
    const small = getSaved(await change(first.id, maxBytes, ['lamp']));
    expect(small.memoryBytes).toBeLessThan(each);
    expect(await bytesOfCount()).toBe(await sumOfCampaigns());
    const third = getSaved(await create('third', maxBytes, KEYWORDS.slice(0, 20)));
    expect(await change(third.id, maxBytes, [...KEYWORDS, 'one more'])).toEqual({ outcome: 'too_heavy', maxBytes });
    await deleteCampaign(memory.effects, OWNER, third.id);
    expect(await bytesOfCount()).toBe(await sumOfCampaigns());
  });

  it('does not exceed the limit when campaigns are created concurrently', async () => {
    for (const seed of selectSeeds(30)) {
      const { memory, create, sumOfCampaigns } = await limited(`memory ${seed}`);
      const first = getSaved(await create('first', 1e9));
      const maxBytes = 3 * first.memoryBytes! + 100;
      const effects = memory.instance(interleave(generator(seed)), {
        config: { ...memory.effects.config, maxCampaignBytesPerOwner: maxBytes },
      });
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((name) =>
          addCampaign(
            effects,
            getLexicon(),
            OWNER,
            createCampaign.parse({ name, targetAudience: { keywords: KEYWORDS } }),
          ),
        ),
      );
      expect(await sumOfCampaigns(), `seed ${seed}`).toBeLessThanOrEqual(maxBytes);
      expect(await findCampaigns(memory.effects, OWNER), `seed ${seed}`).toHaveLength(3);
    }
  });

  it('includes campaigns that the previous version stored without their memory', async () => {
    const { memory, create, change, sumOfCampaigns, bytesOfCount } = await limited('memory before');
    const first = getSaved(await create('first', 1e9));
    const each = first.memoryBytes!;
    const forget = async () => {
      await memory.db.write({
        table: 'campaigns',
        key: { owner: OWNER, item: `campaign#${first.id}` },
        update: 'REMOVE #memoryBytes',
      });
      await memory.db.write({ table: 'campaigns', key: { owner: OWNER, item: '#count' }, update: 'REMOVE #bytes' });
    };
    await forget();
    expect((await create('second', 1.5 * each)).outcome).toBe('too_heavy');
    expect((await create('second', 2.5 * each)).outcome).toBe('saved');
    await forget();
    expect((await change(first.id, 2 * each, [...KEYWORDS, 'one more'])).outcome).toBe('too_heavy');
    expect((await change(first.id, 3 * each, [...KEYWORDS, 'one more'])).outcome).toBe('saved');
    expect(await bytesOfCount()).toBe(await sumOfCampaigns());
    await forget();
    expect(await deleteCampaign(memory.effects, OWNER, first.id)).toBe(true);
    expect((await create('third', 1.5 * each)).outcome).toBe('too_heavy');
    expect(await bytesOfCount()).toBe(await sumOfCampaigns());
  });

  it('names the limit in the response when a create would exceed it', async () => {
    const user = heavy.user('heavy');
    const keywords = (campaign: number) =>
      Array.from({ length: 100 }, (_, i) => `zyx${campaign}gear${i} qw${campaign}lamp${i}`);
    for (let campaign = 0; ; campaign++) {
      const { status, body } = await user('POST', '/campaigns', {
        name: `Heavy ${campaign}`,
        targetAudience: { keywords: keywords(campaign) },
      });
      if (campaign % 50 === 49) heavy.clock.advance(MINUTE_MS);
      if (status === 201) continue;
      expect(campaign).toBeGreaterThan(50);
      expect([status, body.message]).toEqual([
        400,
        'The campaigns of a user may take at most 1 MiB of memory together; use fewer or shorter keywords, or delete campaigns',
      ]);
      break;
    }
  });
});
