import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/limits/store.ts';
import { useService } from '../../harness.ts';

const service = useService();
beforeEach(() => service.clock.advance(MINUTE_MS));

const user = () => service.user();
const create = (name: string, more = {}) => user()('POST', '/campaigns', { name, ...more });
const rename = (id: string, name: string) => user()('PATCH', `/campaigns/${id}`, { name });
const names = async (): Promise<string[]> => {
  const { body } = await service.call('GET', '/api/v1/campaigns', {
    headers: { 'x-user-id': 'alice' },
    query: 'limit=1000',
  });
  return body.map(({ name }: { name: string }) => name);
};
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
const TAKEN = { error: 'Conflict', message: 'Campaign with this name already exists', statusCode: 409 };

describe('Names of campaigns', () => {
  it('have one winner and eleven 409s when twelve creates want the same at once', async () => {
    const spellings = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'Summer Sale' : ' SUMMER sale '));
    const answers = await Promise.all(spellings.map((name) => create(name)));
    expect(statuses(answers)).toEqual([201, ...Array(11).fill(409)]);
    for (const { body } of answers.filter(({ status }) => status === 409)) expect(body).toEqual(TAKEN);
    expect((await names()).filter((name) => name.toLowerCase() === 'summer sale')).toHaveLength(1);
  });

  it('are free again after a deletion, and after a rename', async () => {
    const { id } = (await create('Recycled')).body;
    expect((await create('recycled')).status).toBe(409);
    await user()('DELETE', `/campaigns/${id}`);
    const second = (await create('RECYCLED')).body;
    expect((await rename(second.id, 'Elsewhere')).status).toBe(200);
    expect((await create('Recycled')).status).toBe(201);
  });

  it.each([
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁne', 'FINE'],
    ['Cafe\u0301', 'CAFÉ'],
    ['Ａｄ', 'ad'],
  ])('are the same in any case and any encoding: %s, %s', async (one, other) => {
    expect((await create(one)).status).toBe(201);
    expect((await create(other)).body).toEqual(TAKEN);
  });

  it.each([
    ['e', 'é'],
    ['Sale', 'Sale 2'],
    ['a b', 'ab'],
  ])('differ by more than case: %s, %s', async (one, other) => {
    expect(statuses([await create(`differ ${one}`), await create(`differ ${other}`)])).toEqual([201, 201]);
  });

  it('go to one of twelve campaigns that are renamed to the same at once', async () => {
    const ids = [];
    for (let index = 0; index < 12; index++) ids.push((await create(`Candidate ${index}`)).body.id);
    const answers = await Promise.all(ids.map((id) => rename(id, 'The one')));
    expect(statuses(answers)).toEqual([200, ...Array(11).fill(409)]);
    expect((await names()).filter((name) => name === 'The one')).toHaveLength(1);
    // The losers have kept their names, and the winner's is free.
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [index] of ids.entries()) {
      expect((await create(`candidate ${index}`)).status, String(index)).toBe(index === winner ? 201 : 409);
    }
  });

  it('may be given to the same campaign by several changes at once', async () => {
    const { id } = (await create('Impatient')).body;
    const answers = await Promise.all(Array.from({ length: 5 }, () => rename(id, 'Clicked twice')));
    expect(statuses(answers)).toEqual(Array(5).fill(200));
    expect((await create('impatient')).status).toBe(201);
    expect((await create('clicked twice')).status).toBe(409);
  });

  it('are swapped by nobody halfway: two campaigns cannot take each other’s', async () => {
    const [a, b] = [(await create('Left')).body, (await create('Right')).body];
    expect(statuses(await Promise.all([rename(a.id, 'Right'), rename(b.id, 'Left')]))).toEqual([409, 409]);
  });

  it('change nothing else of a campaign when they are refused', async () => {
    await create('Occupied');
    const { body } = await create('Careful', { budget: 3 });
    const answer = await user()('PATCH', `/campaigns/${body.id}`, { name: 'OCCUPIED', budget: 9, status: 'active' });
    expect(answer.status).toBe(409);
    expect((await user()('GET', `/campaigns/${body.id}`)).body).toEqual(body);
  });
});

describe('The status of a campaign', () => {
  it('goes back to draft by null, and is no longer paused by anybody', async () => {
    const { id, pausedReason } = (await create('Resting', { status: 'paused' })).body;
    expect(pausedReason).toBe('user');
    expect((await user()('PATCH', `/campaigns/${id}`, { status: null })).body).toMatchObject({
      status: 'draft',
      pausedReason: null,
    });
  });

  it('keeps its reason while a change does not speak of it', async () => {
    const { id } = (await create('Still resting', { status: 'paused' })).body;
    expect((await user()('PATCH', `/campaigns/${id}`, { budget: 1 })).body.pausedReason).toBe('user');
  });
});
