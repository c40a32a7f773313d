import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { settingInputs } from '../../shared/api-keys/setting-fields.ts';
import type { EndpointName } from '../../shared/operations/endpoints.ts';
import { inputOf } from '../../shared/operations/inputs.ts';
import { keysOf } from '../../shared/values/typed.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { some } from '../runs.ts';
import { address, type Bounds, CAMPAIGN, KEY, list, MOST, WEBHOOK } from './bounds.ts';
import { withField } from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();

const THINGS: [string, string, Record<string, unknown>, Bounds[]][] = [
  ['an API key', '/auth/api-keys', { name: 'Key' }, KEY],
  ['a campaign', '/campaigns', { name: 'Campaign' }, CAMPAIGN],
  ['a webhook', '/webhooks', { url: 'https://a.example/', events: ['ad.click'] }, WEBHOOK],
];

/** What has its bounds in the tests of its operation, or in the rows of the object that it is in. */
const CAPS = ['frequencyCap.impressions', 'frequencyCap.per'];
const ELSEWHERE: Partial<Record<EndpointName, string[]>> = {
  'api-keys/create': [...keysOf(settingInputs), 'judge'],
  'campaigns/create': CAPS,
  'campaigns/update': [...CAPS, 'suggestedPhrases', 'expectedBudget', 'pausedReason'],
  'webhooks/update': ['status'],
};

it.each<[EndpointName, Bounds[]]>([
  ['api-keys/create', KEY],
  ['campaigns/create', CAMPAIGN],
  ['campaigns/update', CAMPAIGN],
  ['webhooks/create', WEBHOOK],
  ['webhooks/update', WEBHOOK],
])('Every field that %s takes has a row of its bounds', (operation, bounds) => {
  const { body } = inputOf(operation);
  const fields = body ? fieldsOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) : [];
  const bound = bounds.map(([field]) => field);
  const missing = fields.filter((field) => !bound.includes(field) && !ELSEWHERE[operation]?.includes(field));
  expect(fields).not.toEqual([]);
  expect(missing).toEqual([]);
});

/** The paths of an object's fields, and of those of the objects in it. */
function fieldsOf({ properties = {}, anyOf = [] }: z.core.JSONSchema.BaseSchema): string[] {
  const own = Object.entries(properties).flatMap(([name, member]) =>
    typeof member === 'boolean' ? [name] : [name, ...fieldsOf(member).map((field) => `${name}.${field}`)],
  );
  return [...own, ...anyOf.flatMap((one) => fieldsOf(one))];
}

let count = 0;
const somebody = () => service.user(`user-${++count}`);
const withValue = (body: object, field: string, value: unknown) => withField(body, field.split('.'), value);

describe.each(THINGS)('The bounds of %s', (_, path, valid, bounds) => {
  it.each(bounds)(
    '%s: accepted at its bound, refused one past it, by name and rule',
    async (field, accepted, refused, rule) => {
      for (const value of accepted) {
        const { status, body } = await somebody()('POST', path, withValue(valid, field, value));
        expect(status, `${JSON.stringify(value)?.slice(0, 80)} ${JSON.stringify(body.details)}`).toBe(201);
      }
      for (const value of refused) {
        const { status, body } = await somebody()('POST', path, withValue(valid, field, value));
        expect([status, body.message], JSON.stringify(value)?.slice(0, 80)).toEqual([400, rule]);
        expect(body.details[0].path.startsWith(field)).toBe(true);
      }
    },
  );

  if (path === '/auth/api-keys') return; // keys are not updated

  it.each(bounds)('%s: the same when it is updated', async (field, accepted, refused, rule) => {
    const user = somebody();
    const { body: created } = await user('POST', path, valid);
    for (const value of some(accepted.filter((one) => one !== undefined))) {
      const { status, body } = await user('PATCH', `${path}/${created.id}`, withValue({}, field, value));
      expect(status, JSON.stringify(body)).toBe(200);
    }
    const { body: before } = await user('GET', `${path}/${created.id}`);
    for (const value of some(refused.filter((one) => one !== undefined))) {
      if (value === '' && before.creative?.landingUrl === '') continue; // an object that never had one may be sent back whole
      const { status, body } = await user('PATCH', `${path}/${created.id}`, withValue({}, field, value));
      expect([status, body.message], JSON.stringify(value)?.slice(0, 80)).toEqual([400, rule]);
    }
    expect((await user('GET', `${path}/${created.id}`)).body).toEqual(before);
  });
});

describe('What is at its bound', () => {
  it('comes back to the micro-dollar', async () => {
    const amounts = { budget: 999_999_999.999999, dailyBudget: 0.000001, maxCpb: 999.999, targetCpa: 0.1 };
    const { body } = await somebody()('POST', '/campaigns', { name: 'Exact', ...amounts });
    expect(body).toMatchObject(amounts);
    expect((await somebody()('POST', '/auth/api-keys', { name: 'Exact', bidFloor: 0.001 })).body.bidFloor).toBe(0.001);
  });

  it('fits the store, all of it at once', async () => {
    const wide = '€'.repeat(100);
    const many = (length: number) => Array.from({ length }, (_, index) => `${index}${wide}`.slice(0, 100));
    const user = somebody();
    const { status, body } = await user('POST', '/campaigns', {
      name: '€'.repeat(200),
      description: '€'.repeat(2_000),
      budget: MOST,
      targetAudience: {
        keywords: many(200),
        excludedKeywords: many(200),
        categories: many(5),
        demographics: { ageRange: '0-120', interests: many(50) },
        countries: list(50, 'DE'),
      },
      creative: {
        headline: '€'.repeat(200),
        description: '€'.repeat(1_000),
        landingUrl: address(2_048),
        imageUrl: address(2_048),
      },
    });
    expect(status).toBe(201);
    const again = await user('PATCH', `/campaigns/${body.id}`, body);
    expect([again.status, { ...again.body, updatedAt: body.updatedAt }]).toEqual([200, body]);
  });

  it('is a round trip for the first and the last day there are', async () => {
    const user = somebody();
    const { body } = await user('POST', '/campaigns', { name: 'Ever', startDate: '0000-01-01', endDate: '9999-12-31' });
    expect([body.startDate, body.endDate]).toEqual(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
    expect((await user('PATCH', `/campaigns/${body.id}`, body)).status).toBe(200);
  });
});
