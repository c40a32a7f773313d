import { grouped } from '../../shared/values/schema.ts';

const x = (length: number) => 'x'.repeat(length);
export const list = (length: number, item = 'x') => Array.from({ length }, () => item);
export const address = (length: number) => `https://a.example/${x(length - 'https://a.example/'.length)}`;
export const MOST = 1_000_000_000;

/** A field's path, values at its bounds, values one past them, and the rule that the refusal names. */
export type Bounds = [field: string, accepted: unknown[], refused: unknown[], rule: string];

const texts = (field: string, name: string, most: number): Bounds => [
  field,
  ['', 'x', x(most)],
  [x(most + 1), 7, []],
  `${name} must be text of at most ${grouped(most)} characters`,
];
const lists = (field: string, most: number): Bounds => {
  const name = field.split('.').at(-1);
  return [
    field,
    [[], ['x'], [x(100)], list(most), [` ${x(100)} `]],
    [list(most + 1), [''], ['  '], [x(101)], [7], 'x', {}],
    `${name} must be a list of at most ${most} entries of 1 to 100 characters each`,
  ];
};
const amounts = (field: string, most: number, decimals: number): Bounds => {
  const least = 10 ** -decimals;
  return [
    field,
    [0, least, most, most - least, 1.5],
    [-least, most + least, most + 1, least / 10, 1 + least / 2, -1, '1', true, 1e21],
    `${field} must be an amount in USD from 0 to ${grouped(most)} with at most ${decimals} decimals`,
  ];
};
const addresses = (name: string): Bounds => [
  `creative.${name}`,
  [
    'http://a.example',
    'https://a.example:8080/b?c=d#e',
    'HTTPS://A.EXAMPLE',
    'http://127.0.0.1/',
    'https://bücher.example/ü',
    'https://a.example/b c?d e#f g',
    ' https://a.example/ ',
    'https://a.example/\u00a0\u3000\u2028b',
    address(2048),
    `https://a.example/${'ü'.repeat(338)}`,
    'https://a.example/#\u{1f45f}',
  ],
  [
    address(2049),
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
    7,
  ],
  `${name} must be an absolute http or https URL of at most 2,048 characters (percent-encoded), without credentials or control characters`,
];
const moments = (name: string): Bounds => [
  name,
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
    0,
    1795165200000,
  ],
  `${name} must be an ISO 8601 date or timestamp such as 2026-11-20 or 2026-11-20T09:00:00Z`,
];
/** Texts that are not empty, and of which nothing can be seen. */
const UNSEEN = ['\u200b', '\u00ad', '\u2800', ' \u3164\u200e'];
const name = (thing: string): Bounds[] => [
  ['name', ['x', x(200), ` ${x(200)}\n`, '👩‍👩‍👧'], [x(201)], `${thing} name must have at most 200 characters`],
  ['name', [], ['', ' \t\n', undefined, null], `${thing} name is required`],
  ['name', [], [7, true, ['x'], { x: 1 }], `${thing} name must be text`],
  ['name', [], ['\ud800', 'x\udc00x'], 'name must be well-formed Unicode'],
];

const AGES = 'ageRange must be two ages from 0 to 120, the lower one first, such as 18-35';

export const KEY: Bounds[] = [
  ...name('API key'),
  ['name', [], UNSEEN, 'API key name is required'],
  ['mode', [undefined, 'live', 'test'], ['LIVE', '', null, 'prod', 0], 'mode must be live or test'],
  amounts('bidFloor', 1_000, 3),
  ['bidFloor', [undefined], [null], 'bidFloor must be an amount in USD from 0 to 1,000 with at most 3 decimals'],
];

export const CAMPAIGN: Bounds[] = [
  ...name('Campaign'),
  texts('description', 'description', 2_000),
  amounts('budget', MOST, 6),
  amounts('dailyBudget', MOST, 6),
  amounts('targetCpa', MOST, 6),
  amounts('maxCpb', 1_000, 3),
  lists('targetAudience.keywords', 200),
  lists('targetAudience.excludedKeywords', 200),
  lists('targetAudience.demographics.interests', 50),
  lists('targetAudience.categories', 50),
  ...['keywords', 'excludedKeywords', 'demographics.interests', 'categories'].map((list): Bounds => {
    const rule = `${list.split('.').at(-1)} must not contain an entry of only invisible characters`;
    return [`targetAudience.${list}`, [['می\u200cخواهم']], UNSEEN.map((text) => ['shoes', text]), rule];
  }),
  texts('creative.headline', 'headline', 200),
  texts('creative.description', 'creative description', 1_000),
  texts('creative.callToAction', 'callToAction', 50),
  texts('creative.sponsoredBy', 'sponsoredBy', 200),
  ...['landingUrl', 'imageUrl', 'videoUrl', 'thumbnailUrl'].map(addresses),
  ['creative.landingUrl', [undefined, null], [''], 'landingUrl must be an absolute http or https URL'],
  ['targetAudience.demographics.ageRange', ['0-0', '0-120', '120-120', '18-35'], ['0-121', '36-35', '121-121'], AGES],
  [
    'targetAudience.demographics.ageRange',
    [null],
    ['', '18', '18-', '-1-5', '18 - 35', '18-35x', '1.5-3', '0-1200', '18–35'],
    AGES,
  ],
  [
    'targetAudience.countries',
    [[], ['US'], ['de', 'Fr'], ['XK', 'xk'], list(250, 'US')],
    [['XX'], [''], ['ß'], ['ﬁ'], ['ſe'], [7], ['US', 'EU']],
    'Each of countries must be a two-letter ISO 3166-1 code such as US',
  ],
  [
    'targetAudience.countries',
    [],
    [['USA'], ['US', 'usa'], ['United States'], ['U.S.']],
    'Each of countries must be a two-letter ISO 3166-1 code such as US; did you mean US?',
  ],
  ['targetAudience.countries', [], [list(251, 'US')], 'countries must have at most 250 codes'],
  [
    'targetAudience.languages',
    [[], ['de', 'EN']],
    [['deu'], ['xx'], [1]],
    'Each of languages must be a two-letter ISO 639-1 code such as en',
  ],
  [
    'targetAudience.languages',
    [],
    [['de-AT'], ['de_DE']],
    'Each of languages must be a two-letter ISO 639-1 code such as en; did you mean de?',
  ],
  ['targetAudience.languages', [], [list(11, 'de')], 'languages must have at most 10 codes'],
  [
    'bidStrategy',
    ['auto', 'manual', 'target_cpa', 'maximize_clicks', null],
    ['Auto', '', 'cpc'],
    'bidStrategy must be one of auto, manual, target_cpa, maximize_clicks',
  ],
  [
    'status',
    ['draft', 'active', 'paused', 'completed', 'cancelled', null],
    ['on', '', 'ACTIVE'],
    'status must be one of draft, active, paused, completed, cancelled',
  ],
  [
    'frequencyCap',
    [null, { impressions: 1, per: 'day' }, { impressions: 1_000, per: 'conversation' }],
    [0, 1_001, 1.5, '1', null].map((impressions) => ({ impressions, per: 'day' })),
    'impressions must be a whole number from 1 to 1,000',
  ],
  [
    'frequencyCap',
    [],
    ['week', '', null, 7].map((per) => ({ impressions: 1, per })),
    'per must be one of conversation, day',
  ],
  ['frequencyCap', [], [{ per: 'day' }], 'impressions is required: a whole number from 1 to 1,000'],
  ['frequencyCap', [], [{ impressions: 1 }], 'per is required: one of conversation, day'],
  ['frequencyCap', [], [[], 'x', 7], 'frequencyCap must be an object'],
  moments('startDate'),
  moments('endDate'),
  ['creative', [{}, null], [[], 'x', 7], 'creative must be an object'],
  ['targetAudience', [{}, null], [[], 'x', true], 'targetAudience must be an object'],
  ['targetAudience.demographics', [{}, null], [[], 'x', 0], 'demographics must be an object'],
];

export const WEBHOOK: Bounds[] = [
  ['url', [address(2048), 'https://a.example'], [address(2049), 7], 'url must be text of at most 2,048 characters'],
  ['url', [], [null, '', ' ', ...UNSEEN], 'url is required'],
  texts('description', 'description', 2_000),
  [
    'events',
    [['ad.click'], ['ad.click', 'ad.impression']],
    [['ad.click', 'ad.click']],
    'events must not list a type twice',
  ],
];
