import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { EVENT_TYPES } from '../../../shared/webhooks/events/types.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory({ WEBHOOK_ALLOW_LOCAL: 'false' });
const local = useServiceInMemory();
beforeEach(() => {
  service.clock.advance(MINUTE_MS);
  local.clock.advance(MINUTE_MS);
});

const URL_ = 'https://public.test/hooks';
const create = (body: object, user?: string) => service.user(user)('POST', '/webhooks', body);
const valid = (more = {}) => ({ url: URL_, events: ['ad.click'], ...more });
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('POST /webhooks', () => {
  it('returns 201 with the record and, only here, its secret', async () => {
    const { status, body } = await create(valid({ description: 'Analytics' }));
    const time = new Date(service.clock.now()).toISOString();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^wh_[0-9A-Za-z]{20}$/),
      url: URL_,
      events: ['ad.click'],
      description: 'Analytics',
      status: 'active',
      createdAt: time,
      updatedAt: time,
      lastDeliveryAt: null,
      lastError: null,
      lastDelivery: null,
      secret: expect.stringMatching(SECRET),
    });
    expect(Buffer.from(body.secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    const { secret, ...shown } = body;
    expect((await service.user()('GET', `/webhooks/${body.id}`)).body).toEqual(shown);
    expect((await service.user()('GET', '/webhooks')).body).toEqual([shown]);
    expect(service.lines.join()).not.toContain(secret);
  });

  it('gives every webhook its own secret', async () => {
    const secrets = [];
    for (let count = 0; count < 5; count++) secrets.push((await create(valid(), 'varied')).body.secret);
    expect(new Set(secrets).size).toBe(5);
  });

  it.each([undefined, null, ''])('accepts %s as no description', async (description) => {
    expect((await create(valid({ description }), 'terse')).body.description).toBe('');
  });

  it('ignores unknown and read-only fields', async () => {
    const readOnly = {
      id: 'wh_mine',
      status: 'disabled',
      secret: 'whsec_mine',
      lastError: 'x',
      owner: 'bob',
      previous: {},
    };
    const { body } = await create(valid(readOnly), 'meddler');
    expect(body).toMatchObject({ status: 'active', lastError: null, secret: expect.stringMatching(SECRET) });
    expect(body.id).not.toBe('wh_mine');
    expect(Object.keys(body)).not.toContain('owner');
    expect(Object.keys(body)).not.toContain('previous');
  });

  it.each(EVENT_TYPES)('accepts only %s', async (type) => {
    expect((await create(valid({ events: [type] }), `fan-of-${type}`)).body.events).toEqual([type]);
  });

  it('accepts all eight types and keeps their order', async () => {
    const events = EVENT_TYPES.toReversed();
    expect((await create(valid({ events }), 'collector')).body.events).toEqual(events);
  });

  it.each([
    ['no events', undefined, /^events is required: a list of one or more of ad\.impression, /],
    ['null', null, /^events must be a list of one or more of/],
    ['an empty list', [], /events must be a list of one or more of/],
    ['an unknown type', ['ad.view'], /events must be a list of one or more of/],
    ['a type in capitals', ['AD.CLICK'], /events must be a list of one or more of/],
    ['a good and a bad one', ['ad.click', 'x'], /events must be a list of one or more of/],
    ['a text', 'ad.click', /events must be a list of one or more of/],
    ['a type twice', ['ad.click', 'ad.click'], 'events must not list a type twice'],
    ['the first of eight again', [...EVENT_TYPES, 'ad.impression'], 'events must not list a type twice'],
  ])('rejects %s', async (_, events, message) => {
    const { status, body } = await create(valid({ events }), 'faulty');
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.message).toMatch(message);
    expect((await service.user('faulty')('GET', '/webhooks')).body).toEqual([]);
  });

  it.each([
    ['http', 'http://public.test/', /https/],
    ['credentials', 'https://a:b@public.test/', /credentials/],
    ['a private address', 'https://10.0.0.1/', /reserved/],
    ['loopback in decimal', 'https://2130706433/', /reserved/],
    ['localhost', 'https://localhost/', /reserved/],
    ['a name that leads to a private address', 'https://private.test/', /reserved/],
    ['a name that leads to a public and a reserved one', 'https://both.test/', /reserved/],
    ['no address', 'x', /absolute https URL/],
    ['an empty text', '', 'url is required'],
    ['a blank text', ' \n', 'url is required'],
    ['a lone surrogate', 'https://public.test/\ud800', 'url must be well-formed Unicode'],
    ['2,049 characters', `${URL_}?${'x'.repeat(2_048 - URL_.length)}`, /url must be text of at most 2,048 characters/],
  ])('rejects %s as a URL', async (_, url, message) => {
    const { status, body } = await create(valid({ url }), 'faulty');
    expect([status, body.error, body.details[0].path]).toEqual([400, 'Validation failed', 'url']);
    expect(body.message).toMatch(message);
  });

  it.each([
    'https://public.test',
    'https://nowhere.test/yet',
    `${URL_}?${'x'.repeat(2_047 - URL_.length)}`,
    'https://1.1.1.1/',
  ])('accepts and keeps the URL %#', async (url) => expect((await create(valid({ url }), 'picky')).body.url).toBe(url));

  it('accepts http and loopback if the setting allows them, but no private address', async () => {
    const there = (url: string) => local.user('dev')('POST', '/webhooks', valid({ url }));
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1:8080/', 'https://[::1]/', 'http://public.test/']) {
      expect((await there(url)).status, url).toBe(201);
    }
    for (const url of ['http://10.0.0.1/', 'https://private.test/', 'http://both.test/', 'http://169.254.169.254/']) {
      expect((await there(url)).body.message, url).toMatch(/reserved/);
    }
  });
});

describe('The limit of 20 webhooks per user', () => {
  const list = async (user: string) => (await service.user(user)('GET', '/webhooks')).body as { id: string }[];

  it('lets exactly 20 of 30 concurrent creates succeed', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(valid(), 'greedy')));
    const counts = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([counts(201), counts(400)]).toEqual([20, 10]);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({
      error: 'Validation failed',
      message: 'A user may have at most 20 webhooks',
      statusCode: 400,
    });
    expect(await list('greedy')).toHaveLength(20);
  });

  it('frees one place per deletion, however often the deletion is repeated', async () => {
    for (let count = 0; count < 20; count++) expect((await create(valid(), 'tidy')).status).toBe(201);
    const [first] = await list('tidy');
    expect((await create(valid(), 'tidy')).status).toBe(400);
    await Promise.all(Array.from({ length: 5 }, () => service.user('tidy')('DELETE', `/webhooks/${first!.id}`)));
    expect((await create(valid(), 'tidy')).status).toBe(201);
    expect((await create(valid(), 'tidy')).status).toBe(400);
    expect((await create(valid(), 'another')).status).toBe(201);
  });
});
