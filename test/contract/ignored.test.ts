import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { type Answering, getResponses } from '../../shared/http/operations/responses.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import {
  type ContractRow,
  fixture,
  fixtureBody,
  listFields,
  selectRows,
  send,
  toShape,
  withBody,
  withField,
} from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));
beforeEach(() => service.clock.advance(MINUTE_MS));

const withBodies = selectRows(({ body }) => body);
const ask = async (row: ContractRow, body: unknown) => {
  const { status, headers } = await send(service.stack.handlers, row.name, withBody(fixture(row.name), body));
  return { status, ignored: headers['x-ignored-fields'] };
};
const name = async (body: object) => {
  const answer = await service.user()('POST', '/campaigns', { name: `Ignoring ${service.clock.now()}`, ...body });
  expect(answer.status).toBe(201);
  return answer.headers['x-ignored-fields'];
};

describe('Fields that nothing reads', () => {
  it.each(withBodies)('are named by %s at any depth', async (_, row) => {
    const objects = listFields(toShape(row)).filter(({ types, path }) => types.has('object') && !path.includes(0));
    for (const path of [[], ...objects.map((object) => object.path)]) {
      const { ignored } = await ask(row, withField(fixtureBody(row.name), [...path, 'dailybudget'], 1));
      expect(ignored).toBe([...path, 'dailybudget'].join('.'));
    }
    expect((await ask(row, fixtureBody(row.name))).ignored).toBeUndefined();
  });

  it('are named together, except read-only ones', async () => {
    const creative = { headlin: 'x', headline: 'y' };
    expect(await name({ dailybudget: 1, id: 'x', spentBudget: 2, serving: {}, keywords: [], creative })).toBe(
      'dailybudget, keywords, creative.headlin',
    );
  });

  it('are named in a rejection too', async () => {
    const answer = await service.user()('POST', '/campaigns', { Name: 'x' });
    expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([400, 'Name']);
  });

  it('are named once if several items of a list have them', async () => {
    const message = { role: 'user', content: 'shoes', name: 'x' };
    const key = await service.key();
    const { headers } = await service.bid(key, '', { messages: [message, message] });
    expect(headers['x-ignored-fields']).toBe('messages.name');
  });

  it('are named in printable ASCII, with a comma only as separator', async () => {
    expect(await name({ 'a, b': 1, 'ü\n\\👟': 1, ['__proto__']: 1 })).toBe(
      'a\\u002c\\u0020b, \\u00fc\\u000a\\u005c\\ud83d\\udc5f, __proto__',
    );
  });

  it.each([
    ['many', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]))],
    ['long', { short: 1, ['x'.repeat(2_000)]: 1 }],
    ['one that is long', { ['x'.repeat(100_000)]: 1 }],
    ['those that grow by escaping', { short: 1, ['\u{1f45f}'.repeat(400)]: 1 }],
  ])('fit into 1,000 bytes: %s', async (_, body) => {
    const ignored = await name(body);
    expect(ignored).toMatch(/(^|, )\.\.\.$/);
    expect(ignored!.length).toBeLessThanOrEqual(1_000);
  });

  it('omit only a name that is too long', async () => {
    expect(await name({ ['x'.repeat(2_000)]: 1, dailybudget: 5 })).toBe('dailybudget, ...');
  });

  const records = withBodies.filter(
    ([, row]) => row.area === 'management' && !/\/(test|preview|rotate|rotate-secret)$/.test(row.path!),
  );

  /** Fields of a response that a caller may try to set, although the operation cannot. */
  const MEANT: Record<string, string[]> = {
    'api-keys/create': ['isActive', 'key'],
    'campaigns/create': ['suggestedPhrases'],
    'webhooks/create': ['secret', 'status'],
  };

  it.each(records)('include only fields of the %s response that a caller may try to set', (operation, row) => {
    const answered = Object.keys((getResponses(operation as Answering).body as z.ZodObject).shape);
    const settable = Object.keys((row.body as z.ZodObject).shape);
    const named = answered.filter((field) => !settable.includes(field) && !row.readOnly!.includes(field));
    expect(named.sort()).toEqual(MEANT[operation] ?? []);
    expect(row.readOnly!.filter((field) => settable.includes(field))).toEqual([]);
  });

  it.each([
    ['POST', '/auth/api-keys', { name: 'Off', isActive: false, key: 'ak_live_mine' }, 'isActive, key'],
    ['PATCH', '/auth/api-keys/{id}', { mode: 'test', isActive: false }, 'mode, isActive'],
    ['POST', '/campaigns', { name: 'Phrased', suggestedPhrases: [{ text: 'a tent', weight: 1 }] }, 'suggestedPhrases'],
    [
      'POST',
      '/webhooks',
      { url: 'https://public.test/', events: ['ad.click'], secret: 'mine', status: 'disabled' },
      'secret, status',
    ],
    ['PATCH', '/webhooks/{id}', { secret: 'mine' }, 'secret'],
  ])('include fields that %s %s returns but cannot set', async (method, path, body, ignored) => {
    const user = service.user('hopeful');
    const collection = path.replace('/{id}', '');
    const valid = collection === '/webhooks' ? { url: 'https://public.test/', events: ['ad.click'] } : { name: 'Key' };
    const id = path === collection ? '' : (await user('POST', collection, valid)).body.id;
    const answer = await user(method, path.replace('{id}', id), body);
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers['x-ignored-fields']).toBe(ignored);
  });

  const withoutBody = selectRows(
    ({ body, area, methods }) => !body && area === 'management' && /POST|PATCH/.test(methods.join()),
  );
  it.each(withoutBody)('include every field of a body that %s ignores', async (_, row) => {
    const { headers } = await send(service.stack.handlers, row.name, withBody(fixture(row.name), { active: true }));
    expect(headers['x-ignored-fields']).toBe('active');
  });

  it('are empty for a whole object read and sent back', async () => {
    const user = service.user('returning');
    const campaign = { name: 'Whole', creative: { landingUrl: 'https://a.example/' } };
    const webhook = { url: 'https://public.test/', events: ['ad.click'] };
    for (const [path, body] of [
      ['/campaigns', campaign],
      ['/webhooks', webhook],
      ['/auth/api-keys', { name: 'Whole' }],
    ] as const) {
      const { id } = (await user('POST', path, body)).body;
      const all: { id: string }[] = (await user('GET', path)).body;
      const answer = await user(
        'PATCH',
        `${path}/${id}`,
        all.find((one) => one.id === id),
      );
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('x-ignored-fields');
    }
    const copy = { ...(await user('GET', '/campaigns')).body[0], name: 'Whole again' };
    const copied = await user('POST', '/campaigns', copy);
    expect([copied.status, copied.headers['x-ignored-fields']]).toEqual([201, undefined]);
  });
});
