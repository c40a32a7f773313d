import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { selectCases } from '../run-size.ts';
import { bodyFromShape } from './arbitrary.ts';
import {
  type Field,
  fixture,
  fixtureBody,
  listAlternatives,
  listFields,
  type Shape,
  selectRows,
  send,
  type TestResponse,
  toShape,
  withBody,
  withCaller,
  withField,
} from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));

let count = 0;
const newUser = () => `user-${++count}`;
const x = (length: number) => 'x'.repeat(length);
const list = (length: number, item = 'x') => Array.from({ length }, () => item);
const address = (length: number) => `https://a.example/${x(length - 'https://a.example/'.length)}`;
/** Messages contain 1,000; schemas and tests contain 1000. */
const ungrouped = (message: string) => message.replaceAll(/(?<=\d),(?=\d{3})/g, '');
const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, 80);

/** A rule of the JSON Schema: values at the bound, values just past it, and the message of a rejection. */
interface Bound {
  rule: string;
  within: unknown[];
  beyond: unknown[];
  says: (string | number)[];
}

/** The name of a field in messages: its own, or the name of its list. */
const nameOf = ({ path }: Field): string => String(path.findLast((part) => typeof part === 'string'));

/** Required prefixes of some texts. */
const BEGINNINGS: Record<string, string> = { adcp_version: '3.0-', protocol_version: '1.0-' };
const textOf = (name: string, length: number) => {
  if (/url$/i.test(name)) return address(length);
  return (BEGINNINGS[name] ?? '').padEnd(length, 'x').slice(0, length);
};

/** A valid list with one item repeated, or with different items if the schema enumerates them. */
function listOf(name: string, shape: Shape, length: number): unknown[] {
  if (shape.items?.enum) return shape.items.enum.slice(0, length);
  const some = bodyFromShape(shape, name).filter(
    (value): value is unknown[] => Array.isArray(value) && value.length > 0,
  );
  const [[item]] = fc.sample(some, { numRuns: 1, seed: 1 }) as [unknown[]];
  return Array.from({ length }, () => item);
}

/** The longest text that fits into a body with everything else. */
const MAX_TEXT = 2 ** 20 - 1_000;

function boundsOf(field: Field): Bound[] {
  const name = nameOf(field);
  const alternatives = listAlternatives(field.shape);
  const values = alternatives.flatMap((shape) => shape.enum ?? []);
  return alternatives.flatMap((shape) => {
    const {
      type,
      minLength,
      maxLength = Infinity,
      minItems,
      maxItems,
      minimum = -Infinity,
      maximum = Infinity,
    } = shape;
    const bounds: Bound[] = [];
    if (type === 'null') bounds.push({ rule: 'null', within: [null], beyond: [], says: [] });
    if (minLength) bounds.push({ rule: 'minLength', within: [], beyond: [''], says: [] });
    if (maxLength < MAX_TEXT)
      bounds.push({
        rule: 'maxLength',
        within: [textOf(name, maxLength)],
        beyond: [textOf(name, maxLength + 1)],
        says: [maxLength],
      });
    if (minItems) bounds.push({ rule: 'minItems', within: [listOf(name, shape, minItems)], beyond: [[]], says: [] });
    // One more than all enumerated values repeats one.
    if (maxItems && maxItems === shape.items?.enum?.length)
      bounds.push({ rule: 'maxItems', within: [listOf(name, shape, maxItems)], beyond: [], says: [] });
    else if (maxItems)
      bounds.push({
        rule: 'maxItems',
        within: [listOf(name, shape, maxItems)],
        beyond: [listOf(name, shape, maxItems + 1)],
        says: [maxItems],
      });
    // An integer schema states the largest exact integers.
    if (minimum > Number.MIN_SAFE_INTEGER)
      bounds.push({ rule: 'minimum', within: [minimum], beyond: [minimum - 1], says: [minimum] });
    if (maximum < Number.MAX_SAFE_INTEGER)
      bounds.push({ rule: 'maximum', within: [maximum], beyond: [maximum + 1], says: [maximum] });
    if (shape.enum)
      bounds.push({
        rule: 'enum',
        within: shape.enum,
        beyond: ['', 'other'].filter((value) => !values.includes(value)),
        says: shape.enum.map(String),
      });
    return bounds;
  });
}

const derived = selectRows(({ body }) => body).flatMap(([operation, row]) =>
  listFields(toShape(row)).flatMap((field) =>
    boundsOf(field).map((bound) => ({ operation, row, field, path: field.path.join('.'), ...bound })),
  ),
);

/** Bounds that no text or list of x can test: the text has a format, or the number of items is limited. */
const MEANINGFUL = [
  'blockedCategories.0 maxLength', // names of a taxonomy
  'imp.0.native.request maxLength', // JSON
  'suggestedPhrases maxItems', // at most 16 KiB in total
];

describe('A bound of a schema', () => {
  it.each(derived)('$operation $path: $rule', async ({ operation, row, field, path, rule, within, beyond, says }) => {
    const isCreate = operation.endsWith('/create');
    const post = async (value: unknown) => {
      service.clock.advance(MINUTE_MS); // new rate windows
      const event = isCreate ? withCaller(row, fixture(operation), { user: newUser(), key: '' }) : fixture(operation);
      // An item is sent in a list of its own, because it could duplicate one of the fixture's items.
      const last = field.path.at(-1);
      const body =
        typeof last === 'number'
          ? withField(fixtureBody(operation), field.path.slice(0, -1), [value])
          : withField(fixtureBody(operation), field.path, value);
      return send(service.stack.handlers, operation, withBody(event, body));
    };
    // A fault of an item may be reported for its list.
    const paths = [path, path.replace(/\.\d+$/, '')];
    const faultOf = ({ body }: TestResponse): { message: string } | undefined =>
      body?.details?.find((detail: { path: string }) => paths.includes(detail.path));

    for (const value of beyond) {
      const sent = await post(value);
      expect(sent.status, `${shown(value)} ${sent.text}`).toBe(400);
      const message = ungrouped(faultOf(sent)?.message ?? '').toLowerCase();
      expect(message, sent.text).toContain(nameOf(field).replace(/s$/, '').toLowerCase());
      for (const bound of says) expect(message).toContain(String(bound).toLowerCase());
    }
    if (MEANINGFUL.includes(`${path} ${rule}`)) return;
    if (operation === 'campaigns/preview' && path.startsWith('campaign.')) return; // the same fields as campaigns/create, and slow
    for (const value of within) {
      const sent = await post(value);
      // Other required fields may be missing, and the click or budget in the fixture may not exist.
      if (sent.status === 400) expect(faultOf(sent), `${shown(value)} ${sent.text}`).toBeUndefined();
      else
        expect(isCreate ? [201] : [200, 201, 204, 404, 409, 503], `${shown(value)} ${sent.text}`).toContain(
          sent.status,
        );
    }
  });
});

/** A field's path, accepted values, rejected values, and the message of the rejection after the field's name. */
type Rule = [field: string, accepted: unknown[], refused: unknown[], says: string];

/** Non-empty texts without a visible character. */
const UNSEEN = ['\u200b', '\u00ad', '\u2800', ' \u3164\u200e'];
const NAME: Rule[] = [
  ['name', ['x', ` ${x(200)}\n`, '👩‍👩‍👧'], ['', ' \t\n', undefined, null], 'is required'],
  ['name', [], ['\ud800', 'x\udc00x'], 'well-formed Unicode'],
];
const amount = (field: string, decimals: number): Rule => {
  const least = 10 ** -decimals;
  return [field, [0, least, 1.5, 999 + least], [-least, least / 10, 1 + least / 2, 1e21], `${decimals} decimals`];
};
const texts = (field: string): Rule[] => [
  [field, [[], ['x'], [` ${x(100)} `]], [['x', ''], ['  ']], '1 to 100 characters'],
  [field, [['می\u200cخواهم']], UNSEEN.map((text) => ['shoes', text]), 'only invisible characters'],
];
const url = (field: string): Rule => [
  field,
  [
    'http://a.example',
    'https://a.example:8080/b?c=d#e',
    'HTTPS://A.EXAMPLE',
    'http://127.0.0.1/',
    'https://bücher.example/ü',
    'https://a.example/b c?d e#f g',
    ' https://a.example/ ',
    'https://a.example/b\u00a0\u3000\u2028b',
    `https://a.example/${'ü'.repeat(338)}`,
    'https://a.example/#\u{1f45f}',
  ],
  [
    `https://a.example/${'ü'.repeat(339)}`,
    'https://a.example/\0',
    'https://a.example/\x1f',
    'https://a.example/\x7f',
    'https://a.example/\tb',
    'https://a.example/\nb',
    'https://a.example/\r',
    'a.example',
    '//a.example',
    '/path',
    'ftp://a.example',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    'https:// a.example',
    ' ',
    ' https://u@a.example',
    'https://u@a.example',
    'https://u:p@a.example',
  ],
  'absolute http or https URL of at most 2048',
];
const moment = (field: string): Rule => [
  field,
  [
    '2026-11-20',
    '2028-02-29',
    '2026-11-20T09:00:00Z',
    '2026-11-20T09:00:00.123456Z',
    '2026-11-20T09:00:00+14:00',
    '0000-01-01',
    '9999-12-31',
  ],
  [
    '2026-02-29',
    '2026-13-01',
    '2026-11-31',
    '20.11.2026',
    '2026-11-20T09:00:00',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:59:60Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '',
  ],
  'ISO 8601',
];

const KEY: Rule[] = [...NAME, ['name', [], UNSEEN, 'is required'], amount('bidFloor', 3)];

const CAMPAIGN: Rule[] = [
  ...NAME,
  ...['budget', 'dailyBudget', 'targetCpa'].map((field) => amount(field, 6)),
  amount('maxCpb', 3),
  ...['keywords', 'excludedKeywords', 'demographics.interests', 'categories'].flatMap((name) =>
    texts(`targetAudience.${name}`),
  ),
  ...['landingUrl', 'imageUrl', 'videoUrl', 'thumbnailUrl'].map((name) => url(`creative.${name}`)),
  ['creative.landingUrl', [undefined, null], [''], 'absolute http or https URL'],
  ['targetAudience.demographics.ageRange', ['0-0', '0-120', '120-120', '18-35'], ['0-121', '36-35', '121-121'], '120'],
  [
    'targetAudience.demographics.ageRange',
    [],
    ['', '18', '18-', '-1-5', '18 - 35', '18-35x', '1.5-3', '0-1200', '18–35'],
    'such as 18-35',
  ],
  [
    'targetAudience.countries',
    [[], ['US'], ['de', 'Fr'], ['XK', 'xk']],
    [['XX'], [''], ['ß'], ['ﬁ'], ['ſe'], ['US', 'EU']],
    'ISO 3166-1',
  ],
  ['targetAudience.countries', [], [['USA'], ['US', 'usa'], ['United States'], ['U.S.']], 'did you mean US?'],
  ['targetAudience.languages', [[], ['de', 'EN']], [['deu'], ['xx']], 'ISO 639-1'],
  ['targetAudience.languages', [], [['de-AT'], ['de_DE']], 'did you mean de?'],
  [
    'frequencyCap',
    [null, { impressions: 1, per: 'day' }, { impressions: 1_000, per: 'conversation' }],
    [{ impressions: 1.5, per: 'day' }, { per: 'day' }],
    'whole number from 1 to 1000',
  ],
  moment('startDate'),
  moment('endDate'),
];

const WEBHOOK: Rule[] = [
  ['url', ['https://a.example'], [null, '', ' ', ...UNSEEN], 'is required'],
  ['events', [['ad.click'], ['ad.click', 'ad.impression']], [['ad.click', 'ad.click']], 'twice'],
];

const THINGS: [string, string, Record<string, unknown>, Rule[]][] = [
  ['an API key', '/auth/api-keys', { name: 'Key' }, KEY],
  ['a campaign', '/campaigns', { name: 'Campaign' }, CAMPAIGN],
  ['a webhook', '/webhooks', { url: 'https://a.example/', events: ['ad.click'] }, WEBHOOK],
];

const withValue = (body: object, field: string, value: unknown) => withField(body, field.split('.'), value);

/** The rejection names the field and what is allowed. */
function expectRefused(
  { status, body }: Pick<TestResponse, 'status' | 'body'>,
  field: string,
  says: string,
  value: unknown,
) {
  expect(status, shown(value)).toBe(400);
  const [{ path, message }] = body.details;
  expect(path.startsWith(field), shown(value)).toBe(true);
  const names = path.split('.').filter((name: string) => !/^\d+$/.test(name));
  expect(message, shown(value)).toContain(names.at(-1));
  expect(ungrouped(message), shown(value)).toContain(says);
}

describe.each(THINGS)('Rules of %s that JSON Schema cannot express', (_, path, whole, rules) => {
  it.each(rules)('%s: is checked on creation', async (field, accepted, refused, says) => {
    for (const value of accepted) {
      const { status, body } = await service.user(newUser())('POST', path, withValue(whole, field, value));
      expect(status, `${shown(value)} ${JSON.stringify(body.details)}`).toBe(201);
    }
    for (const value of refused)
      expectRefused(await service.user(newUser())('POST', path, withValue(whole, field, value)), field, says, value);
  });

  if (path === '/auth/api-keys') return; // keys are not updated by this test

  it.each(rules)(
    '%s: is checked on update, and a rejection changes nothing',
    async (field, accepted, refused, says) => {
      const user = service.user(newUser());
      const { body: created } = await user('POST', path, whole);
      for (const value of selectCases(accepted.filter((one) => one !== undefined))) {
        const { status, body } = await user('PATCH', `${path}/${created.id}`, withValue({}, field, value));
        expect(status, JSON.stringify(body)).toBe(200);
      }
      const { body: before } = await user('GET', `${path}/${created.id}`);
      for (const value of selectCases(refused.filter((one) => one !== undefined))) {
        if (value === '' && before.creative?.landingUrl === '') continue; // a whole object without a landing URL may be sent back
        const sent = await user('PATCH', `${path}/${created.id}`, withValue({}, field, value));
        expectRefused(sent, field, says, value);
      }
      expect((await user('GET', `${path}/${created.id}`)).body).toEqual(before);
    },
  );
});

describe('A value at its bound', () => {
  it('is returned to the micro-dollar', async () => {
    const amounts = { budget: 999_999_999.999999, dailyBudget: 0.000001, maxCpb: 999.999, targetCpa: 0.1 };
    const { body } = await service.user(newUser())('POST', '/campaigns', { name: 'Exact', ...amounts });
    expect(body).toMatchObject(amounts);
    const key = await service.user(newUser())('POST', '/auth/api-keys', { name: 'Exact', bidFloor: 0.001 });
    expect(key.body.bidFloor).toBe(0.001);
  });

  it('fits into the store together with all others', async () => {
    const wide = '€'.repeat(100);
    const many = (length: number) => Array.from({ length }, (_, index) => `${index}${wide}`.slice(0, 100));
    const user = service.user(newUser());
    const { status, body } = await user('POST', '/campaigns', {
      name: '€'.repeat(200),
      description: '€'.repeat(2_000),
      budget: 1_000_000_000,
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

  it('is returned unchanged for the first and the last possible date', async () => {
    const user = service.user(newUser());
    const { body } = await user('POST', '/campaigns', { name: 'Ever', startDate: '0000-01-01', endDate: '9999-12-31' });
    expect([body.startDate, body.endDate]).toEqual(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
    expect((await user('PATCH', `/campaigns/${body.id}`, body)).status).toBe(200);
  });
});
