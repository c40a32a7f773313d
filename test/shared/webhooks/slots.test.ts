import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../shared/platform/config.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { createSlots, type Slot } from '../../../shared/webhooks/slots.ts';
import { createBudgetService } from '../../memory/service.ts';

const MOST = 4;
const LEASE_MS = 15_000;
let deliveries = 0;

function world() {
  const { effects, clock, db } = createBudgetService('slots');
  const config = readConfig({ WEBHOOK_CONCURRENCY_PER_OWNER: String(MOST) }, true);
  /** The slots of another instance, which shares only the store. */
  const instance = () => createSlots({ ...effects, config });
  const takeAll = async (owner = 'alice') => {
    const taken: Slot[] = [];
    for (;;) {
      const slot = await instance().take(owner, LEASE_MS, `delivery ${++deliveries}`);
      if (!slot) return taken;
      taken.push(slot);
    }
  };
  return { effects, clock, db, instance, takeAll };
}

describe('the slots of an owner', () => {
  it('are limited by the setting over all instances, separately for each owner', async () => {
    const { takeAll } = world();
    expect(await takeAll()).toHaveLength(MOST);
    expect(await takeAll('bob')).toHaveLength(MOST);
  });

  it('can be taken again when freed', async () => {
    const { instance, takeAll } = world();
    const [slot] = await takeAll();
    await instance().free(slot!);
    expect(await takeAll()).toMatchObject([{ place: slot!.place }]);
  });

  it('become free when their lease ends, even if their holder crashed', async () => {
    const { clock, takeAll } = world();
    await takeAll();
    clock.advance(LEASE_MS - 1);
    expect(await takeAll()).toEqual([]);
    clock.advance(1);
    expect(await takeAll()).toHaveLength(MOST);
  });

  it('are not freed after their lease has ended, or twice', async () => {
    const { clock, instance, takeAll } = world();
    const old = await takeAll();
    clock.advance(LEASE_MS);
    await takeAll();
    for (const slot of old) await instance().free(slot);
    expect(await takeAll()).toEqual([]);
  });

  it('become free at the end of their lease if the store fails to free them', async () => {
    const { clock, db, effects, instance, takeAll } = world();
    const [slot] = await takeAll();
    effects.db = { ...db, write: async () => Promise.reject(new Unavailable()) };
    await instance().free(slot!);
    effects.db = db;
    clock.advance(LEASE_MS);
    expect(await takeAll()).toHaveLength(MOST);
  });

  it('are not requested again within a second by an instance that found none', async () => {
    const { clock, db, effects, instance, takeAll } = world();
    const [slot] = await takeAll();
    let writes = 0;
    const write: typeof db.write = async (one, returning) => {
      writes++;
      return db.write(one, returning);
    };
    const store = createSlots({
      ...effects,
      db: { ...db, write },
      config: readConfig({ WEBHOOK_CONCURRENCY_PER_OWNER: '4' }, true),
    });
    for (let n = 0; n < 100; n++) expect(await store.take('alice', LEASE_MS, 'any')).toBeUndefined();
    expect(writes).toBe(1);
    await instance().free(slot!);
    clock.advance(1_000);
    expect(await store.take('alice', LEASE_MS, 'any')).toMatchObject({ place: slot!.place });
  });

  it('are given once for concurrent copies of a message, even if its own slot is taken', async () => {
    const { instance } = world();
    for (let round = 0; round < 20; round++) {
      const owner = `owner-${round}`;
      await instance().take(owner, LEASE_MS, `other ${round}`);
      const copies = [];
      for (let copy = 0; copy < 3; copy++) copies.push(await instance().take(owner, LEASE_MS, `copied ${round}`));
      expect(copies.filter(Boolean)).toHaveLength(1);
    }
  });

  it('are taken by one write if an instance requests several at once, and freed by one when the last is done', async () => {
    const { db, effects, takeAll } = world();
    let writes = 0;
    const write: typeof db.write = async (one, returning) => {
      writes++;
      return db.write(one, returning);
    };
    const config = readConfig({ WEBHOOK_CONCURRENCY_PER_OWNER: '4' }, true);
    const store = createSlots({ ...effects, db: { ...db, write }, config });
    const take = (...names: string[]) => Promise.all(names.map((name) => store.take('alice', LEASE_MS, name)));
    const [one, two, copy] = await take('one', 'two', 'two');
    expect([one?.place === two?.place, copy, writes]).toEqual([false, undefined, 1]);
    const freed = [store.free(one!)];
    expect(await takeAll()).toHaveLength(MOST - 2);
    freed.push(store.free(two!));
    await Promise.all(freed);
    expect(writes).toBe(2);
    expect(await takeAll()).toHaveLength(2);
  });

  it('are given while some are free if more are requested at once', async () => {
    const { instance } = world();
    await instance().take('alice', LEASE_MS, 'other');
    const store = instance();
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) => store.take('alice', LEASE_MS, `delivery ${n}`)),
    );
    const given = taken.filter((slot) => slot !== undefined);
    expect(new Set(given.map(({ place }) => place)).size).toBe(MOST - 1);
    expect(given).toHaveLength(MOST - 1);
  });

  it('are freed within a second even if others taken with them are still in use', async () => {
    const { clock, instance, takeAll } = world();
    const store = instance();
    const [one] = await Promise.all(['one', 'two'].map((name) => store.take('alice', LEASE_MS, name)));
    const freed = store.free(one!);
    clock.advance(1_000);
    await freed;
    expect(await takeAll()).toHaveLength(MOST - 1);
  });

  it('are given to only one of several simultaneous requests', async () => {
    const { instance } = world();
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) => instance().take('alice', LEASE_MS, `delivery ${n}`)),
    );
    const names = taken.flatMap((slot) => slot?.place ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(1);
    expect(names.length).toBeLessThanOrEqual(MOST);
  });
});
