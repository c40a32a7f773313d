import fc, { type Arbitrary } from 'fast-check';
import { findHidden } from '../../shared/campaigns/hidden.ts';
import { HIDDEN, isBlank } from '../../shared/platform/values/characters.ts';
import { unicodeStrings } from '../characters.ts';
import type { Field, Shape } from './rows.ts';

/** Characters of paths and queries (RFC 3986). fast-check's own generators take seconds to initialize. */
const inUrl = (more: string[]) =>
  fc.string({ unit: fc.constantFrom(..."azAZ09-._~!$&'()*+,;=:@/", '%20', '%C3%A9', '%00', ...more), maxLength: 60 });

const url = fc
  .tuple(
    fc.constantFrom('https://public.test', 'https://hooks.example:8443', 'HTTPS://Bücher.example'),
    inUrl([]).map((path) => `/${path}`),
    inUrl(['?', '[', ']']),
  )
  .map(([origin, path, query]) => `${origin}${path}?${query}`.slice(0, 2048))
  .filter((text) => text.isWellFormed());

const day = (from: string, to: string) =>
  fc
    .tuple(
      fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }),
      fc.constantFrom('plain', 'utc', 'zone'),
    )
    .map(([date, kind]) => {
      const time = date.toISOString();
      return kind === 'plain' ? time.slice(0, 10) : kind === 'utc' ? time : time.replace(/\.\d+Z$/, '+05:30');
    });

/** Names of campaigns must not contain hidden characters. */
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((value) => value.isWellFormed() && value.trim() !== '' && findHidden(value.trim()) === undefined);

/** Texts of an ad must not contain hidden characters. */
const shown = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter((value) => value.isWellFormed() && findHidden(value) === undefined);

/** Labels of A/B tests, of at most 64 bytes, and public names. */
const label = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter(
    (value) => !isBlank(value) && value.trim() === value && Buffer.byteLength(value) <= 60 && !HIDDEN.test(value),
  );

const country = fc.constantFrom('US', 'us', 'De', 'FR', 'jp', 'BR');
const languages = fc.constantFrom('en', 'DE', 'fr', 'Ja', 'pt');
const language = fc.constantFrom('en', 'de', 'ja');

/** Generators for fields whose rules JSON Schema cannot express, by field name. */
const SPECIAL: Record<string, Arbitrary<unknown>> = {
  url,
  name,
  headline: shown,
  description: shown,
  callToAction: shown,
  sponsoredBy: shown,
  landingUrl: url,
  imageUrl: fc.oneof(url, fc.constant('')),
  videoUrl: fc.oneof(url, fc.constant('')),
  thumbnailUrl: fc.oneof(url, fc.constant('')),
  ageRange: fc.tuple(fc.nat(120), fc.nat(120)).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
  startDate: day('2020-01-02', '2026-12-31'),
  endDate: day('2027-01-02', '2030-12-31'),
  blockedCategories: fc.subarray(['Automotive', 'Casinos & Gambling', 'IAB7-39', '52']),
  blockedDomains: fc.array(fc.constantFrom('shop.example', 'Bücher.example', 'a.b-c.co.uk'), { maxLength: 5 }),
  countryCode: country,
  variant: label,
  publicName: label,
  excludedPublishers: fc.subarray(['pub_7F3KQ2M9XW4A', 'pub_0123456789AB', 'pub_ZZZZZZZZZZZZ']),
  // Stored in canonical form.
  sellerAgentUrl: fc.constantFrom('https://assistant.example/agent', 'https://xn--bcher-kva.example:8443/'),
  seller_agent_url: url,
  property_rid: fc.uuid(),
  adcp_version: fc.constantFrom('3.0', '3.2-beta.5'),
  protocol_version: fc.constant('1.0'),
  country: fc.constantFrom('US', 'DE', 'ZZ'),
  language,
  currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  countries: fc.array(country, { maxLength: 5 }),
  languages: fc.array(languages, { maxLength: 5 }),
  events: fc.subarray(['ad.impression', 'ad.click', 'ad.conversion', 'campaign.created', 'account.billing'], {
    minLength: 1,
  }),
  // In OpenRTB, the native request is JSON in a string.
  request: fc.constantFrom(
    '{"assets":[{"id":1,"title":{"len":90}}]}',
    '{"native":{"ver":"1.1","assets":[{"id":7,"required":1,"data":{"type":2,"len":20}}]}}',
  ),
  messages: fc
    .array(fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string({ unit: 'grapheme' }) }), {
      maxLength: 5,
    })
    .map((messages) => [...messages, { role: 'user', content: 'running shoes' }]),
};

/** Texts of every script, with characters that often break parsers, but without lone surrogates. */
const text = ({ minLength = 0, maxLength = 100 }: Shape) =>
  fc
    .string({
      unit: fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        fc.constantFrom('\0', '"', '\\', "'", '#', ':', '\u202e', '\ufeff'),
      ),
      minLength,
      maxLength: Math.min(maxLength, 40),
    })
    .map((value) => value.slice(0, maxLength))
    .filter((value) => value.isWellFormed() && value.trim().length >= minLength);

/** USD with at most three decimals, which every amount accepts. */
const amount = ({ minimum = 0, maximum = 1_000 }: Shape) =>
  fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: minimum * 1_000, max: Math.min(maximum, 1e6) * 1_000 }).map((thousandths) => thousandths / 1_000),
  );

/** Generates bodies that a schema accepts. */
export function bodyFromShape(shape: Shape, name = ''): Arbitrary<unknown> {
  if (SPECIAL[name] && shape.type !== 'null' && !(shape.anyOf ?? []).some(({ type }) => type === 'null'))
    return SPECIAL[name];
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((one) => bodyFromShape(one, name)));
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  switch (shape.type) {
    case 'null':
      return fc.constant(null);
    case 'string':
      return text(shape);
    case 'integer':
      return fc.integer({ min: shape.minimum, max: shape.maximum });
    case 'number':
      return amount(shape);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(bodyFromShape(shape.items!, name), {
        minLength: shape.minItems ?? 0,
        maxLength: Math.min(shape.maxItems ?? 4, 4),
      });
    case 'object': {
      const members = Object.entries(shape.properties ?? {}).map(([member, inner]) => [
        member,
        bodyFromShape(inner, member),
      ]);
      return fc.record(Object.fromEntries(members), {
        requiredKeys: (shape.required ?? []) as never[],
        noNullPrototype: true,
      });
    }
    default:
      return fc.jsonValue();
  }
}

const NESTED = '['.repeat(20_000) + ']'.repeat(20_000);

/** Generates invalid values for a field. A string with the prefix `raw:` is sent as JSON text. */
export const hostileValue = (field: Field): Arbitrary<unknown> =>
  fc.oneof<Arbitrary<unknown>[]>(
    fc.constant(undefined),
    fc.constantFrom<unknown>(
      null,
      true,
      -1,
      0.1234567,
      1e300,
      -0,
      2 ** 53,
      '',
      ' ',
      '\ud800',
      'a\udfffb',
      '\0',
      [],
      {},
      [null],
      [[]],
    ),
    fc.constantFrom(
      'raw:1e999',
      'raw:-1e999',
      `raw:${NESTED}`,
      'raw:{"__proto__":{"name":"x"}}',
      'raw:{"constructor":{"prototype":{}}}',
      'raw:{"length":5}',
      'raw:{"toString":null}',
    ),
    fc.constant('x'.repeat((field.shape.maxLength ?? 40_000) + 1)),
    fc.constant((field.shape.maximum ?? 1e9) + 1),
    fc.constant(Array.from({ length: (field.shape.maxItems ?? 1_000) + 1 }, () => 'x')),
    unicodeStrings(20),
    fc.jsonValue({ maxDepth: 4 }),
  );

/** Serializes a body. Strings with the prefix `raw:` are inserted as JSON text. */
export const toJson = (body: unknown): string =>
  JSON.stringify(body, (_, value) =>
    typeof value === 'string' && value.startsWith('raw:') ? `@${value}@` : value,
  ).replace(/"@raw:((?:[^"\\]|\\.)*)@"/g, (_, raw) => JSON.parse(`"${raw}"`));

/** Any valid or invalid JSON. */
export const anyText: Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 5 }),
  unicodeStrings(),
  fc.constantFrom('{"__proto__":null}', '{"name":{"__proto__":"x"}}', `{"name":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
);

/** Path segments in place of an id, as they appear in the URL. */
export const HOSTILE_SEGMENTS: readonly string[] = [
  'x',
  'x'.repeat(3000),
  '%F0%9F%98%80',
  'a%00b',
  'a%2Fb',
  'a%3Fb',
  '..',
  '%2e%2e',
  'a%23b',
  '%25',
  '%ZZ',
  '__proto__',
  '%23count',
];
