import { beforeEach, describe, expect, it } from 'vitest';
import { addCampaign } from '../../../shared/campaigns/add.ts';
import { campaignsOf } from '../../../shared/campaigns/find.ts';
import { removeCampaign } from '../../../shared/campaigns/remove.ts';
import { createCampaign } from '../../../shared/campaigns/schema.ts';
import { lexicon } from '../../../shared/catalog/lexicon.ts';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { generator } from '../../../tools/random.ts';
import { interleaved } from '../../memory/gates.ts';
import { loose } from '../../memory/loose.ts';
import { memoryService, OWNER } from '../../memory/service.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { runs } from '../../runs.ts';

const MOST = 3;
const service = useServiceInMemory({ MAX_CAMPAIGNS_PER_USER: String(MOST) });
beforeEach(() => service.clock.advance(MINUTE_MS));

const TOO_MANY = { error: 'Validation failed', message: 'A user may have at most 3 campaigns', statusCode: 400 };

/** Somebody who creates and deletes campaigns. */
function somebody(name: string) {
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

describe('A user’s campaigns', () => {
  it('are as many as the setting says, and one more after a deletion', async () => {
    const { create, remove } = somebody('counted');
    const { id } = (await create('one')).body;
    await create('two');
    await create('three');
    const { status, body } = await create('four');
    expect([status, body]).toEqual([400, { ...TOO_MANY, details: [{ path: '', message: TOO_MANY.message }] }]);
    expect(await remove(id)).toBe(200);
    expect([(await create('five')).status, (await create('six')).status]).toEqual([201, 400]);
  });

  it('are no more when many are created at once', async () => {
    const { statuses, list } = somebody('hasty');
    const names = Array.from({ length: 12 }, (_, index) => `At once ${index}`);
    expect(await statuses(...names)).toEqual([...Array(MOST).fill(201), ...Array(12 - MOST).fill(400)]);
    expect(await list()).toHaveLength(MOST);
  });

  it('do not count where a name is taken, and another user’s not either', async () => {
    const { create, statuses } = somebody('clumsy');
    await create('same');
    expect(await statuses('same', 'same', 'same', 'same')).toEqual(Array(4).fill(409));
    expect(await statuses('other', 'third')).toEqual([201, 201]);
    expect((await somebody('neighbour').create('same')).status).toBe(201);
  });

  it('that were stored before they were counted count too', async () => {
    const { create, remove, list, forgetCount } = somebody('stored');
    for (const name of ['one', 'DREIẞIG']) await create(name);
    await forgetCount();
    expect((await create('three')).status).toBe(201);
    expect((await create('four')).status).toBe(400);
    await forgetCount();
    expect(await remove((await list())[0]!.id)).toBe(200);
    expect([(await create('five')).status, (await create('six')).status]).toEqual([201, 400]);
  });

  it('are counted exactly by whoever creates and deletes while nobody has counted yet', async () => {
    for (let seed = 1; seed <= runs(100); seed++) {
      const memory = memoryService(`count ${seed}`);
      const stored = [await memory.campaign(), await memory.campaign()];
      await memory.db.write({ table: 'campaigns', key: { owner: OWNER, item: '#count' }, remove: true });
      const config = { ...memory.effects.config, maxCampaignsPerOwner: MOST };
      const effects = memory.instance(interleaved(generator(seed)), { config });
      const outcomes = await Promise.all([
        ...['a', 'b', 'c', 'd'].map((name) => addCampaign(effects, lexicon(), OWNER, createCampaign.parse({ name }))),
        ...stored.map(({ id }) => removeCampaign(effects, OWNER, id)),
      ]);
      const left = (await campaignsOf(memory.effects, OWNER)).length;
      const created = outcomes.filter((one) => typeof one === 'object' && one.outcome === 'saved').length;
      expect([left, left <= MOST], `seed ${seed}`).toEqual([created, true]);
      expect((await loose(memory.db).get('campaigns', { owner: OWNER, item: '#count' }))?.count, `seed ${seed}`).toBe(
        left,
      );
    }
  });
});
