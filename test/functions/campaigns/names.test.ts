import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';

// @module-tag whole
const service = useServiceInMemory();
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

describe('Campaign names', () => {
  it('are taken by one of twelve concurrent creates; the others get 409', async () => {
    const spellings = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'Summer Sale' : ' SUMMER sale '));
    const answers = await Promise.all(spellings.map((name) => create(name)));
    expect(statuses(answers)).toEqual([201, ...Array(11).fill(409)]);
    for (const { body } of answers.filter(({ status }) => status === 409)) expect(body).toEqual(TAKEN);
    expect((await names()).filter((name) => name.toLowerCase() === 'summer sale')).toHaveLength(1);
  });

  it('are free again after a deletion and after a rename', async () => {
    const { id } = (await create('Recycled')).body;
    expect((await create('recycled')).status).toBe(409);
    await user()('DELETE', `/campaigns/${id}`);
    const second = (await create('RECYCLED')).body;
    expect((await rename(second.id, 'Elsewhere')).status).toBe(200);
    expect((await create('Recycled')).status).toBe(201);
  });

  it.each([
    ['Straße', 'STRASSE'],
    ['GROẞ', 'groß'],
    ['Fuß', 'FUẞ'],
    ['paẞ', 'pass'],
    ['ŉ Wind', 'ʼN WIND'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁne', 'FINE'],
    ['Cafe\u0301', 'CAFÉ'],
    ['Ａｄ', 'ad'],
  ])('are equal in any case and encoding: %s, %s', async (one, other) => {
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

  it('are taken by one of twelve concurrent renames', async () => {
    const ids = [];
    for (let index = 0; index < 12; index++) ids.push((await create(`Candidate ${index}`)).body.id);
    const answers = await Promise.all(ids.map((id) => rename(id, 'The one')));
    expect(statuses(answers)).toEqual([200, ...Array(11).fill(409)]);
    expect((await names()).filter((name) => name === 'The one')).toHaveLength(1);
    // The losers have kept their names, and the winner's old name is free.
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [index] of ids.entries()) {
      expect((await create(`candidate ${index}`)).status, String(index)).toBe(index === winner ? 201 : 409);
    }
  });

  it('can be set on the same campaign by several concurrent changes', async () => {
    const { id } = (await create('Impatient')).body;
    const answers = await Promise.all(Array.from({ length: 5 }, () => rename(id, 'Clicked twice')));
    expect(statuses(answers)).toEqual(Array(5).fill(200));
    expect((await create('impatient')).status).toBe(201);
    expect((await create('clicked twice')).status).toBe(409);
  });

  it('cannot be swapped between two campaigns', async () => {
    const [a, b] = [(await create('Left')).body, (await create('Right')).body];
    expect(statuses(await Promise.all([rename(a.id, 'Right'), rename(b.id, 'Left')]))).toEqual([409, 409]);
  });

  it('leave the rest of the campaign unchanged when they are rejected', async () => {
    await create('Occupied');
    const { body } = await create('Careful', { budget: 3 });
    const answer = await user()('PATCH', `/campaigns/${body.id}`, { name: 'OCCUPIED', budget: 9, status: 'active' });
    expect(answer.status).toBe(409);
    expect((await user()('GET', `/campaigns/${body.id}`)).body).toEqual(body);
  });
});

/** The name item of an earlier version, folded by upper case only, which keeps ẞ and ss distinct. */
const itemBefore = (name: string) => ({
  owner: 'alice',
  item: `name#${createHash('sha256').update(name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')).digest('hex')}`,
});

describe('Names stored while ẞ and ss were distinct', () => {
  /** A campaign as an earlier version stored it, with one item for its name. */
  async function storedBefore(name: string) {
    const { db } = service.stack.effects;
    const { id } = (await create(`Temporary ${name}`)).body;
    const key = { owner: 'alice', item: `campaign#${id}` };
    await db.write({ table: 'campaigns', key, update: 'SET #name = :name', values: { name } });
    await untyped(db).write({ table: 'campaigns', put: { ...itemBefore(name), campaignId: id } });
    return id as string;
  }
  const taken = async (name: string) => (await create(name)).status;

  it('are still unique, and free after a deletion', async () => {
    const id = await storedBefore('WEIẞ');
    expect(await taken('WEIẞ')).toBe(409);
    expect((await user()('DELETE', `/campaigns/${id}`)).status).toBe(200);
    expect([await taken('WEIẞ'), await taken('weiss')]).toEqual([201, 409]);
  });

  it('are free after a rename, including to another spelling', async () => {
    const id = await storedBefore('HEIẞ');
    expect((await rename(id, 'heiss')).status).toBe(200);
    expect([await taken('Heiß'), await taken('HEIẞ')]).toEqual([409, 409]);
    expect((await rename(id, 'Kalt')).status).toBe(200);
    expect(await taken('HEIẞ')).toBe(201);
  });

  it('do not free the name of another campaign', async () => {
    const id = await storedBefore('NAẞ');
    const { db } = service.stack.effects;
    const other = (await create('nass')).body; // was a different name then; the old item does not reserve it
    expect((await user()('DELETE', `/campaigns/${id}`)).status).toBe(200);
    expect(await db.get('campaigns', itemBefore('NAẞ'))).toBeUndefined();
    expect(await taken('nass')).toBe(409);
    expect((await user()('DELETE', `/campaigns/${other.id}`)).status).toBe(200);
    expect(await taken('NAẞ')).toBe(201);
  });
});

describe('Invisible characters in a name', () => {
  it.each([
    ['a control character', 'Sale\u0007', 'U+0007'],
    ['a line end inside', 'Sale\nnow', 'U+000A'],
    ['a line separator', 'Sale\u2028now', 'U+2028'],
    ['a soft hyphen', 'Sa\u00adle', 'U+00AD'],
    ['a zero-width space', 'Sa\u200ble', 'U+200B'],
    ['a byte order mark inside', 'Sa\ufeffle', 'U+FEFF'],
    ['a word joiner', 'Sa\u2060le', 'U+2060'],
    ['a direction mark', 'Sale\u200f!', 'U+200F'],
    ['a direction override', '\u202eelaS', 'U+202E'],
    ['an isolate', '\u2066Sale', 'U+2066'],
    ['a filler', 'Sale\u3164', 'U+3164'],
    ['blank braille', 'Sale\u2800', 'U+2800'],
    ['a joiner between Latin letters', 'Sa\u200dle', 'U+200D'],
    ['a non-joiner between Latin letters', 'Sa\u200cle', 'U+200C'],
    ['a non-joiner at the end', 'می\u200c', 'U+200C'],
    ['two non-joiners', 'می\u200c\u200cخواهم', 'U+200C'],
    ['a variation of a letter', 'Sa\ufe0fle', 'U+FE0F'],
    ['a variation of a digit', '7\ufe0f days', 'U+FE0F'],
    ['tag characters', 'Sale\u{e0053}\u{e0061}', 'U+E0053'],
    ['tags of no flag', '🏴\u{e0078}\u{e0078}\u{e0078}\u{e0078}\u{e0078}\u{e007f}', 'U+E0078'],
    ['a joiner within Arabic script', 'م\u200dی', 'U+200D'],
    ['a joiner between Indic letters that form no conjunct', 'कष\u200dक', 'U+200D'],
    ['two joiners in a conjunct', 'क्\u200d\u200dष', 'U+200D'],
    ['a joiner in an unknown emoji sequence', '👩\u200d🍕', 'U+200D'],
    ['a family that is larger than recommended', '👩\u200d👩\u200d👧\u200d👧\u200d👧', 'U+200D'],
    ['a second selector after an emoji', '❤\ufe0f\ufe0f', 'U+FE0F'],
    ['a selector after a skin tone', '👍🏻\ufe0f', 'U+FE0F'],
    ['a second variant of a Han character', '葛\u{e0100}\u{e0101}城', 'U+E0101'],
    ['a variant that no Han character has', '葛\u{e01ef}城', 'U+E01EF'],
    ['a standardized variant of a Han character', '葛\ufe00城', 'U+FE00'],
    ['two forms of a Mongolian letter', 'ᠭ\u180b\u180b', 'U+180B'],
    ['a joiner after an emoji', '👩\u200d Sale', 'U+200D'],
  ])('are rejected with the name of the character: %s', async (_, name, character) => {
    const { status, body } = await create(name);
    const message = `Campaign name must not contain invisible characters: remove ${character}`;
    expect([status, body.message, body.details]).toEqual([400, message, [{ path: 'name', message }]]);
  });

  it.each([
    ['Persian', 'می\u200cخواهم کتاب\u200cهای خانه\u200cام بازار\u200cها'],
    ['Hindi', 'क्\u200dष क्\u200cष'],
    ['Sinhala', 'ශ්\u200dරී ක\u200d්ෂ'],
    ['Malayalam', 'സോഫ്\u200cറ്റ്\u200cവെയർ അവന്\u200d വന്നു'],
    ['Bengali', 'র\u200d্যাম উদ্\u200cযাপন'],
    ['Kannada', 'ರ\u200d್ಕ ಸಾಫ್ಟ್\u200cವೇರ್'],
    ['Mongolian', 'ᠭᠤ\u180eᠠ'],
    ['a variant of a Han character', '葛\u{e0100}城'],
    ['a family', '👩\u200d👩\u200d👧'],
    ['hearts', '❤\ufe0f ❤ ❤\ufe0e ❤\ufe0f\u200d🔥 ❤\u200d🔥'],
    ['rainbow flags', '🏳\ufe0f\u200d🌈 🏳\u200d🌈'],
    ['a profession of some skin', '👩🏽\u200d🚀'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ])('are accepted where the script or emoji needs them: %s', async (_, name) => {
    const answer = await create(name);
    expect([answer.status, answer.body.name]).toEqual([201, name]);
  });

  it('are kept in a name stored earlier, including when the whole campaign is sent back', async () => {
    const { db } = service.stack.effects;
    const { id } = (await create('Stored with a space')).body;
    const key = { owner: 'alice', item: `campaign#${id}` };
    await db.write({ table: 'campaigns', key, update: 'SET #name = :name', values: { name: 'Stored\u200b' } });
    const { body } = await user()('GET', `/campaigns/${id}`);
    expect((await user()('PATCH', `/campaigns/${id}`, { ...body, budget: 2 })).status).toBe(200);
    expect((await rename(id, 'Stored\u200b\u200b')).status).toBe(400);
  });
});

describe('The status of a campaign', () => {
  it('returns to draft on null and clears the pause reason', async () => {
    const { id, pausedReason } = (await create('Resting', { status: 'paused' })).body;
    expect(pausedReason).toBe('user');
    expect((await user()('PATCH', `/campaigns/${id}`, { status: null })).body).toMatchObject({
      status: 'draft',
      pausedReason: null,
    });
  });

  it('keeps its reason in an update without a status', async () => {
    const { id } = (await create('Still resting', { status: 'paused' })).body;
    expect((await user()('PATCH', `/campaigns/${id}`, { budget: 1 })).body.pausedReason).toBe('user');
  });
});
